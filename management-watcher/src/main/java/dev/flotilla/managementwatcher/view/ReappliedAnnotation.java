package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who put a wish back that we had just taken away, since it was fulfilled: a pipeline that does not know, or a restore. The API
 * server remembers who wrote which field last, and when, so that nobody else has to.
 */
final class ReappliedAnnotation {
    private static final Duration SOON = Duration.ofMinutes(10);
    private static final String NOBODY_KNOWS = "somebody";

    private ReappliedAnnotation() {}

    /**
     * The name of who did; null where nobody did, or later than that.
     *
     * @param key under which the wish stands
     */
    static @Nullable String reappliedBy(KubeObject object, String key) {
        KubeObject ours = ManagedFieldsReader.lastWriter(object, WatcherAnnotationKeys.FULFILLED);
        KubeObject theirs = ManagedFieldsReader.lastWriter(object, key);
        if (ours == null || theirs == null) {
            return null;
        }
        Instant taken = ours.instant("time");
        Instant put = theirs.instant("time");
        if (taken == null || put == null || put.isBefore(taken) || !put.isBefore(taken.plus(SOON))) {
            return null;
        }
        String name = theirs.text("manager");
        return name == null || name.isEmpty() ? NOBODY_KNOWS : name;
    }
}
