package dev.flotilla.cli.machine;

import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats the trace of a machine's attempt. A collector has it only if the processes export traces. */
final class AttemptTraceText {
    private AttemptTraceText() {}

    static List<String> lines(@Nullable MachineStatus status) {
        String traceId = traceId(status);
        return traceId == null ? List.of() : List.of("Trace: " + traceId);
    }

    /** The trace of the open attempt, or else of the last one that failed; null if there is neither. */
    static @Nullable String traceId(@Nullable MachineStatus status) {
        if (status == null) {
            return null;
        }
        UpgradeAttempt attempt = status.attempt();
        AttemptFailure failure = status.lastFailure();
        Long attemptId = attempt != null ? Long.valueOf(attempt.id()) : failure == null ? null : failure.attemptId();
        return attemptId == null
                ? null
                : AttemptTrace.of(status.key(), status.uid(), attemptId).traceId();
    }
}
