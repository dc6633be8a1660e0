package dev.flotilla.clusterapi.coverage;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether a change is made in place. */
public sealed interface CoverageAnswer {

    /**
     * The change is made in place.
     *
     * @param patches the merge patches that make the desired objects of the current ones; none for an object that stays
     * @param ignored the fields that are accepted and not applied, with the values that the machine keeps
     * @param keepsAvailable whether the machine stays available while each of the changes is made
     */
    record Covered(Map<HookObject, JsonObjectReader> patches, IgnoredFields ignored, boolean keepsAvailable)
            implements CoverageAnswer {
        public Covered {
            patches = patches.isEmpty() ? Map.of() : new EnumMap<>(patches);
        }
    }

    /** The change is not made in place. */
    record NotCovered(List<ObjectChange> changes, UncoveredPolicy policy) implements CoverageAnswer {
        /** A message that is read in a condition names only the first changes. */
        private static final int MAX_NAMED = 8;

        public NotCovered {
            changes = List.copyOf(changes);
        }

        /** Returns the kinds and paths, never the values. */
        public String describe() {
            String named = changes.stream()
                    .limit(MAX_NAMED)
                    .map(ObjectChange::toString)
                    .collect(Collectors.joining(", "));
            return "not covered in place: " + named
                    + (changes.size() > MAX_NAMED ? " and " + (changes.size() - MAX_NAMED) + " more" : "");
        }
    }

    /** The request cannot be judged. */
    record InvalidRequest(String problem) implements CoverageAnswer {}

    /**
     * A changed field of an object.
     *
     * @param kind the kind of the object
     * @param reason why it is not covered; empty if the table does not have it
     */
    record ObjectChange(String kind, SpecChange change, String reason) {
        @Override
        public String toString() {
            return kind + " spec." + change.path() + (reason.isEmpty() ? "" : " (" + reason + ")");
        }
    }
}
