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
        return lastWriterAt(object, "metadata", "annotations", annotation);
    }

    /** Returns the managed-fields entry of the last writer of the field at a path; null for none. */
    public static @Nullable KubeObject lastWriterAt(KubeObject object, String... path) {
        String[] field = new String[path.length + 1];
        field[0] = "fieldsV1";
        for (int i = 0; i < path.length; i++) {
            field[i + 1] = "f:" + path[i];
        }
        KubeObject last = null;
        for (KubeObject each : object.list("metadata", "managedFields")) {
            if (each.has(field) && (last == null || isLater(each, last))) {
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
