package dev.flotilla.cli.demo;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a demonstration. Times are seconds; null for what has not happened.
 *
 * @param succeeded machines at their target, {@code unchanged} of them without a call
 * @param notSucceeded all others, by name
 * @param settled whether the campaign was accepted and no machine was left in the middle of something
 * @param makespan from the campaign's acceptance to the last attempt's end
 * @param idealMakespan a time that no order of starts could beat
 * @param work what the nodes say of the calls they received
 * @param audit what the auditor says of the whole
 * @param gaveUp why it ended before its campaign had; null where it did not
 */
record DemoResult(
        DemoSpec spec,
        int succeeded,
        int unchanged,
        List<UnfinishedMachine> notSucceeded,
        String target,
        String campaignState,
        List<WaveResult> waves,
        boolean settled,
        double makespan,
        double idealMakespan,
        NodeCallStatistics work,
        List<KillResult> kills,
        AuditResult audit,
        @Nullable String gaveUp) {
    /** Gates at which only people wait who wrote what nobody accepts. */
    private static final List<String> OF_REFUSED_INPUT =
            List.of(GateLabel.NO_POLICY.label(), GateLabel.REJECTED_INPUT.label());

    DemoResult {
        notSucceeded = List.copyOf(notSucceeded);
        waves = List.copyOf(waves);
        kills = List.copyOf(kills);
    }

    /** How a machine can stand that has not succeeded. */
    enum UnfinishedMachineState {
        QUARANTINED,
        FAILED,
        SKIPPED,
        WAITING
    }

    /**
     * A machine that has not succeeded.
     *
     * @param inFlight whether an attempt of it is open
     * @param gate the first gate that is closed to it, if it waits
     * @param gateMessage why it is, in words
     * @param failureClass of its last failure, if it failed
     * @param reason the same
     */
    record UnfinishedMachine(
            MachineKey machine,
            UnfinishedMachineState standing,
            boolean inFlight,
            @Nullable String gate,
            @Nullable String gateMessage,
            @Nullable String failureClass,
            @Nullable String reason,
            int calls) {}

    /** A wave; times since the campaign was accepted. */
    record WaveResult(
            String name,
            int machines,
            int succeeded,
            @Nullable Double start,
            @Nullable Double end) {}

    /** A kill; the time since the demonstration began. */
    record KillResult(
            KillTarget target,
            String process,
            double at,
            @Nullable Double recovered) {}

    /**
     * What the auditor said last.
     *
     * @param isComplete whether it has seen the journal to its end
     * @param violations as it tells them
     */
    record AuditResult(boolean isComplete, long checks, List<JsonValue> violations) {
        AuditResult {
            violations = List.copyOf(violations);
        }
    }

    int machines() {
        return spec.sites().machines();
    }

    int count(UnfinishedMachineState unfinishedMachineState) {
        return (int) notSucceeded.stream()
                .filter(unfinishedMachine -> unfinishedMachine.standing() == unfinishedMachineState)
                .count();
    }

    /** Machines in the middle of an attempt; each of them counts as one that waits. */
    int inFlight() {
        return (int) notSucceeded.stream().filter(UnfinishedMachine::inFlight).count();
    }

    /** Ideal by real, between 0 and 1. */
    double efficiency() {
        return makespan <= 0 ? 1 : idealMakespan / makespan;
    }

    /** Whether machines wait because what the demonstration itself asked for was refused. */
    boolean refused() {
        return notSucceeded.stream()
                .anyMatch(unfinishedMachine ->
                        unfinishedMachine.gate() != null && OF_REFUSED_INPUT.contains(unfinishedMachine.gate()));
    }

    /** Whether everything held. */
    boolean isSuccessful() {
        return settled && !refused() && audit.isComplete() && audit.violations().isEmpty();
    }
}
