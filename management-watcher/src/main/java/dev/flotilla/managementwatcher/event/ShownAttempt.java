package dev.flotilla.managementwatcher.event;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.time.Instant;

/**
 * A write to a Machine that shows how its attempt stands, or how it ended.
 *
 * @param trace the trace of the attempt, as the status row names it
 */
public record ShownAttempt(
        MachineKey machine, AttemptTrace trace, ObjectWriteKind kind, Instant startedAt, Instant endedAt) {}
