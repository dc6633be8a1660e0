package dev.flotilla.nodeupgrader.report;

import dev.flotilla.nodeupgrader.contract.StepState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step as the node's files show it.
 *
 * @param since when its latest try has started or ended; null if there is none
 * @param tries how many times it has been started
 * @param exitCode the exit code of its latest try that has ended; null if there is none
 */
public record StepReport(
        String name,
        StepState state,
        @Nullable Instant since,
        int tries,
        @Nullable Long exitCode) {}
