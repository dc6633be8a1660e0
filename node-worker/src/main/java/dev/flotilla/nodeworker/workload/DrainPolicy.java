package dev.flotilla.nodeworker.workload;

import dev.flotilla.schemas.row.DrainMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How nodes are emptied.
 *
 * @param timeout for one node, within what the command leaves
 * @param grace for each pod; null for the pod's own
 * @param pause between two tries
 */
public record DrainPolicy(
        DrainMode mode, Duration timeout, @Nullable Duration grace, Duration pause) {
    public static final DrainPolicy NEVER =
            new DrainPolicy(DrainMode.NEVER, Duration.ofMinutes(10), null, Duration.ofSeconds(5));
}
