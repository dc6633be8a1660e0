package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who wrote an annotation last, and when: the API server remembers it, so that nobody else has to. */
final class ManagedFieldsReader {
    private ManagedFieldsReader() {}

    /** Of those who manage an annotation, the entry of the one that wrote last; null for none. */
    static @Nullable KubeObject lastWriter(KubeObject object, String annotation) {
        KubeObject last = null;
        for (KubeObject each : object.list("metadata", "managedFields")) {
            if (each.has("fieldsV1", "f:metadata", "f:annotations", "f:" + annotation)
                    && (last == null || isLater(each, last))) {
                last = each;
            }
        }
        return last;
    }

    /** When another manager wrote an annotation last; null where it is ours, or nobody's. */
    static @Nullable Instant lastWriteByOthers(KubeObject object, String annotation) {
        KubeObject last = lastWriter(object, annotation);
        return last == null || WatcherAnnotationKeys.MANAGER.equals(last.text("manager")) ? null : last.instant("time");
    }

    private static boolean isLater(KubeObject one, KubeObject other) {
        Instant time = one.instant("time");
        Instant before = other.instant("time");
        return time != null && (before == null || time.isAfter(before));
    }
}
