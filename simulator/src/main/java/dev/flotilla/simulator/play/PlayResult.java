package dev.flotilla.simulator.play;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.check.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a play. Times are milliseconds on the world's clock.
 *
 * @param succeeded machines at their target, {@code unchanged} of them without a call
 * @param notSucceeded all others, by name
 * @param begun when the campaign was accepted, since the world began; -1 where it was not
 * @param makespan from the campaign's acceptance to the last attempt's end
 * @param idealMakespan a time that no order of starts could beat
 * @param invariantsChecked decisions and calls that the checker looked at
 */
public record PlayResult(
        int machines,
        int succeeded,
        int unchanged,
        List<Rest> notSucceeded,
        String campaign,
        String target,
        String campaignState,
        List<WaveResult> waves,
        int cap,
        int maxInFlight,
        long begun,
        long makespan,
        long idealMakespan,
        int refreshCalls,
        int mostCalls,
        List<KillResult> kills,
        long invariantsChecked,
        List<Violation> violations) {
    public PlayResult {
        notSucceeded = List.copyOf(notSucceeded);
        waves = List.copyOf(waves);
        kills = List.copyOf(kills);
        violations = List.copyOf(violations);
    }

    /** How a machine can stand that has not succeeded. */
    public enum Standing {
        QUARANTINED,
        FAILED,
        SKIPPED,
        WAITING
    }

    /**
     * A machine that has not succeeded.
     *
     * @param gate the first gate that is closed to it, if it waits
     * @param failureClass of its last failure, if it failed
     * @param reason the same
     */
    public record Rest(
            MachineKey machine,
            Standing standing,
            @Nullable String gate,
            @Nullable String failureClass,
            @Nullable String reason,
            int calls) {}

    /** A wave; -1 for what has not happened. Times since the campaign was accepted. */
    public record WaveResult(String name, int machines, int succeeded, long start, long end) {}

    /** A kill; the time until recovery is -1 where there was none. */
    public record KillResult(Victim what, String process, long at, long recovered) {}

    public int count(Standing standing) {
        return (int) notSucceeded.stream()
                .filter(rest -> rest.standing() == standing)
                .count();
    }

    /** Ideal by real, between 0 and 1. */
    public double efficiency() {
        return makespan == 0 ? 1 : (double) idealMakespan / makespan;
    }
}
