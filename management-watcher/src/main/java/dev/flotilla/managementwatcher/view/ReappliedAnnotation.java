package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who reapplied an upgrade annotation right after it was fulfilled and removed: a pipeline that does not
 * know, or a restore. The managed fields of the object show who wrote an annotation last, and when.
 */
final class ReappliedAnnotation {
    private static final Duration REAPPLIED_WITHIN = Duration.ofMinutes(10);
    private static final String UNKNOWN_MANAGER = "an unknown client";

    private ReappliedAnnotation() {}

    /**
     * Returns the field manager that reapplied the annotation within ten minutes; null for none.
     *
     * @param key key of the upgrade annotation
     */
    static @Nullable String findReapplier(KubeObject object, String key) {
        KubeObject ours = ManagedFieldsReader.lastWriter(object, AnnotationKeys.LAST_FULFILLED);
        KubeObject theirs = ManagedFieldsReader.lastWriter(object, key);
        if (ours == null || theirs == null) {
            return null;
        }
        Instant removed = ours.instant("time");
        Instant reapplied = theirs.instant("time");
        if (removed == null
                || reapplied == null
                || reapplied.isBefore(removed)
                || !reapplied.isBefore(removed.plus(REAPPLIED_WITHIN))) {
            return null;
        }
        String name = theirs.text("manager");
        return name == null || name.isEmpty() ? UNKNOWN_MANAGER : name;
    }
}
