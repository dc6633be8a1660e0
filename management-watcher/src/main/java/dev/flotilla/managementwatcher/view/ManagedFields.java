package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.Kube;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who wrote an annotation last, and when: the API server remembers it, so that nobody else has to. */
final class ManagedFields {
    private ManagedFields() {}

    /** Of those who manage an annotation, the entry of the one that wrote last; null for none. */
    static @Nullable Kube lastWriter(Kube object, String annotation) {
        Kube last = null;
        for (Kube each : object.list("metadata", "managedFields")) {
            if (each.has("fieldsV1", "f:metadata", "f:annotations", "f:" + annotation)
                    && (last == null || isLater(each, last))) {
                last = each;
            }
        }
        return last;
    }

    /** When another manager wrote an annotation last; null where it is ours, or nobody's. */
    static @Nullable Instant writtenByOthers(Kube object, String annotation) {
        Kube last = lastWriter(object, annotation);
        return last == null || Wording.MANAGER.equals(last.text("manager")) ? null : last.instant("time");
    }

    private static boolean isLater(Kube one, Kube other) {
        Instant time = one.instant("time");
        Instant before = other.instant("time");
        return time != null && (before == null || time.isAfter(before));
    }
}
