package dev.flotilla.nodeupgrader.contract;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step in the status of a NodeUpgrade.
 *
 * @param since when the node has started or ended it; null if it has not
 * @param exitCode the exit code of its latest try that has ended; null if there is none
 */
public record StepStatus(
        String name,
        StepState state,
        @Nullable Instant since,
        @Nullable Long exitCode) {}
