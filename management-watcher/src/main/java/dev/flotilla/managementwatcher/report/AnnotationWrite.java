package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.id.ObjectKey;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A patch of an object's annotations.
 *
 * @param readVersion version of the object from which the patch was planned, 0 if it may be any. An upgrade annotation
 *     is removed only from the object that was read: otherwise one that is written at the same time would be lost.
 * @param annotations new values; null removes
 * @param event Event to create with the patch; null for none
 */
record AnnotationWrite(
        ObjectKey object,
        String uid,
        long readVersion,
        SortedMap<String, @Nullable String> annotations,
        @Nullable UpgradeEvent event)
        implements ObjectWrite {

    /** Returns the same write without its Event, which is created elsewhere. */
    AnnotationWrite withoutEvent() {
        return new AnnotationWrite(object, uid, readVersion, annotations, null);
    }

    /** Collects the annotations that differ from the present ones. */
    static final class AnnotationWriteBuilder {
        private final SortedMap<String, @Nullable String> annotations = new TreeMap<>();

        AnnotationWriteBuilder setAnnotation(String key, @Nullable String value, @Nullable String present) {
            if (value == null ? present != null : !value.equals(present)) {
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
