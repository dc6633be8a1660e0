package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an object's annotations have to become.
 *
 * @param readVersion the version of the object that this rests on; 0 where any will do. A wish is taken away only from the object that
 *     was looked at: else one that is being written just now would be lost.
 * @param annotations the new values; null removes
 * @param event what an Event says of it; null for nothing
 */
public record AnnotationWrite(
        ObjectKey object,
        String uid,
        long readVersion,
        SortedMap<String, @Nullable String> annotations,
        @Nullable UpgradeEvent event)
        implements ObjectWrite {

    /** The same, told of elsewhere. */
    AnnotationWrite withoutEvent() {
        return new AnnotationWrite(object, uid, readVersion, annotations, null);
    }

    /** Only what differs from what is there. */
    static final class AnnotationWriteBuilder {
        private final SortedMap<String, @Nullable String> annotations = new TreeMap<>();

        AnnotationWriteBuilder setAnnotation(String key, @Nullable String value, @Nullable String there) {
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
