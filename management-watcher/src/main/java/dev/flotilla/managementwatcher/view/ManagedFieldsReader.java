package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads from an object's managed fields who wrote an annotation last, and when. */
public final class ManagedFieldsReader {
    /** Field manager under which the API server records what the watcher writes. */
    public static final String FIELD_MANAGER = "flotilla-management-watcher";

    private ManagedFieldsReader() {}

    /** Returns the managed-fields entry of the last writer of an annotation; null for none. */
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

    /** Returns when another field manager wrote an annotation last; null if the last writer is Flotilla or unknown. */
    static @Nullable Instant lastWriteByOthers(KubeObject object, String annotation) {
        KubeObject last = lastWriter(object, annotation);
        return last == null || FIELD_MANAGER.equals(last.text("manager")) ? null : last.instant("time");
    }

    private static boolean isLater(KubeObject one, KubeObject other) {
        Instant time = one.instant("time");
        Instant before = other.instant("time");
        return time != null && (before == null || time.isAfter(before));
    }
}
