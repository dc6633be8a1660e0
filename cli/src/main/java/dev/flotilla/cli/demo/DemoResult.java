package dev.flotilla.cli.demo;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Result of a demonstration. Times are seconds; null for what has not happened.
 *
 * @param succeeded machines at their target, {@code unchanged} of them without a call
 * @param notSucceeded all others, by name
 * @param providers number of machines by the provider that the watchers have found
 * @param settled whether a campaign was accepted and no attempt is open
 * @param makespan from the first campaign's acceptance to the last attempt's end
 * @param idealMakespan makespan bound: a time that no order of starts can beat
 * @param work calls that the nodes received, from their ledger
 * @param audit result of the audit
 * @param gaveUp why it ended before its campaign; null if it did not
 */
record DemoResult(
        DemoSpec spec,
        int succeeded,
        int unchanged,
        List<UnfinishedMachine> notSucceeded,
        List<CampaignResult> campaigns,
        SortedMap<UpgradeProvider, Integer> providers,
        boolean settled,
        double makespan,
        double idealMakespan,
        NodeCallStatistics work,
        List<KillResult> kills,
        AuditResult audit,
        @Nullable String gaveUp) {
    /** Gates that are closed because the demonstration's own manifests were rejected. */
    private static final List<String> REJECTED_INPUT_GATES =
            List.of(GateLabel.NO_POLICY.label(), GateLabel.REJECTED_INPUT.label());

    DemoResult {
        notSucceeded = List.copyOf(notSucceeded);
        campaigns = List.copyOf(campaigns);
        providers = Collections.unmodifiableSortedMap(new TreeMap<>(providers));
        kills = List.copyOf(kills);
    }

    /** State of a machine that has not succeeded. */
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
     * @param gate first closed gate, if it waits
     * @param gateMessage message of the gate
     * @param failureClass class of its last failure, if it failed
     * @param reason reason of its last failure, if it failed
     */
    record UnfinishedMachine(
            MachineKey machine,
            UnfinishedMachineState state,
            boolean inFlight,
            @Nullable String gate,
            @Nullable String gateMessage,
            @Nullable String failureClass,
            @Nullable String reason,
            int calls) {}

    /** A campaign with its waves. */
    record CampaignResult(String name, String target, String state, List<WaveResult> waves) {
        CampaignResult {
            waves = List.copyOf(waves);
        }
    }

    /** A wave, with times since the first campaign was accepted. */
    record WaveResult(
            String name,
            int machines,
            int succeeded,
            @Nullable Double start,
            @Nullable Double end) {}

    /** A kill, with the time since the start of the demonstration. */
    record KillResult(
            KillTarget target,
            String process,
            double at,
            @Nullable Double recovered) {}

    /**
     * The auditor's last report.
     *
     * @param isComplete whether it has read the journal to its end
     * @param violations violations as the auditor reports them
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
                .filter(unfinishedMachine -> unfinishedMachine.state() == unfinishedMachineState)
                .count();
    }

    /** Machines with an open attempt; each is counted as waiting. */
    int inFlight() {
        return (int) notSucceeded.stream().filter(UnfinishedMachine::inFlight).count();
    }

    /** Makespan bound divided by makespan, between 0 and 1. */
    double efficiency() {
        return makespan <= 0 ? 1 : idealMakespan / makespan;
    }

    /** Whether machines wait because the demonstration's own policy or campaign was rejected. */
    boolean wasRejected() {
        return notSucceeded.stream()
                .anyMatch(unfinishedMachine ->
                        unfinishedMachine.gate() != null && REJECTED_INPUT_GATES.contains(unfinishedMachine.gate()));
    }

    /** Whether every invariant held and every machine has ended or waits for an operator. */
    boolean isSuccessful() {
        return settled
                && !wasRejected()
                && audit.isComplete()
                && audit.violations().isEmpty();
    }
}
