package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an object's annotations have to become.
 *
 * @param seen the version of the object that this rests on; 0 where any will do. A wish is taken away only from the object that
 *     was looked at: else one that is being written just now would be lost.
 * @param annotations the new values; null removes
 * @param happened what an Event says of it; null for nothing
 */
public record Amendment(
        ObjectKey object,
        String uid,
        long seen,
        SortedMap<String, @Nullable String> annotations,
        @Nullable Happened happened) {

    /** What is to be told of an object, once. */
    public record Happened(boolean warning, String reason, String text) {
        static Happened inProgress(String option) {
            return new Happened(false, "InPlaceUpgradeInProgress", "Performing in place upgrade with " + option);
        }

        static Happened done(String option) {
            return new Happened(false, "InPlaceUpgradeDone", "Successfully performed in place upgrade with " + option);
        }

        static Happened failed(String option, String why) {
            return new Happened(
                    true, "InPlaceUpgradeFailed", "Failed to perform in place upgrade with " + option + ": " + why);
        }
    }

    /** Only what differs from what is there. */
    static final class Draft {
        private final SortedMap<String, @Nullable String> annotations = new TreeMap<>();

        Draft want(String key, @Nullable String value, @Nullable String there) {
            if (value == null ? there != null : !value.equals(there)) {
                annotations.put(key, value);
            }
            return this;
        }

        boolean isEmpty() {
            return annotations.isEmpty();
        }

        SortedMap<String, @Nullable String> annotations() {
            return annotations;
        }
    }
}
