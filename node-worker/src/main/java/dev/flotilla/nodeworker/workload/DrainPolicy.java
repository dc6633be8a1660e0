package dev.flotilla.nodeworker.workload;

import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How nodes are drained.
 *
 * @param timeout for one node, within the command lease
 * @param grace grace period of each pod; null for the pod's own
 * @param pause pause between two tries
 */
public record DrainPolicy(
        DrainMode mode, Duration timeout, @Nullable Duration grace, Duration pause) {
    public static final DrainPolicy NEVER =
            new DrainPolicy(DrainMode.NEVER, Duration.ofMinutes(10), null, Duration.ofSeconds(5));
}
