package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains why a machine waits. It evaluates the same gates as the decisions, so the two cannot differ. */
public final class MachineExplainer {
    private MachineExplainer() {}

    public static MachineExplanation explainMachine(FleetState state, GateChain gates, MachineKey key, Instant now) {
        return nameTask(state, explain(state, gates, key, now));
    }

    /** Adds to an explanation which UpgradeTask requests the upgrade, if one does. */
    private static MachineExplanation nameTask(FleetState state, MachineExplanation explanation) {
        UpgradeIntent intent =
                explanation.rolloutRef() instanceof RolloutRef.IntentRef ref ? state.intent(ref.object()) : null;
        if (intent == null
                || intent.task() == null
                || !SiteIntentsRollout.rolloutRefFor(intent).equals(explanation.rolloutRef())) {
            return explanation;
        }
        return explanation.withNextStep(intent.task() + " requests it. " + explanation.nextStep());
    }

    private static MachineExplanation explain(FleetState state, GateChain gates, MachineKey key, Instant now) {
        state.refreshDerivedState(gates, now);
        MachineView machine = state.machine(key);
        if (machine == null) {
            return new MachineExplanation(
                    key, MachineSummary.UNKNOWN, null, List.of(), "No inventory row names this machine.");
        }
        MachineStatus status = machine.status();
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        if (status != null && attempt != null) {
            return new MachineExplanation(
                            key,
                            describeAttemptState(attempt),
                            attempt.rolloutRef(),
                            List.of(),
                            describeNextReport(attempt))
                    .withPreparation(PreparationExplainer.explainKnown(status.preparation()));
        }
        StartCandidate waiting = findWaitingCandidate(state, machine, now);
        if (waiting != null) {
            return explainWaiting(gates, waiting, key)
                    .withPreparation(PreparationExplainer.explain(state, gates, waiting, now));
        }
        UpgradeIntent inapplicable = findInapplicableIntent(state, machine);
        return inapplicable == null
                ? explainEnded(key, machine, status)
                : explainInapplicable(explainEnded(key, machine, status), machine, inapplicable);
    }

    private static @Nullable UpgradeIntent findInapplicableIntent(FleetState state, MachineView machine) {
        for (Rollout rollout : state.rollouts()) {
            if (rollout instanceof SiteIntentsRollout intents
                    && intents.site().id().equals(machine.site())) {
                return machine.isPresent() ? intents.inapplicableIntent(machine) : null;
            }
        }
        return null;
    }

    /** Adds to the explanation of a machine that its provider cannot apply the target of an intent. */
    private static MachineExplanation explainInapplicable(
            MachineExplanation explanation, MachineView machine, UpgradeIntent intent) {
        return explanation.withNextStep(
                "It does not follow the annotation " + intent.target() + " of " + intent.object()
                        + ": its provider is " + machine.provider().label() + ", which applies "
                        + machine.provider().targets() + ". " + explanation.nextStep());
    }

    /** The state of a machine in one word. The derived state must be up to date. */
    public static MachineSummary summarizeMachine(FleetState state, GateChain gates, MachineView machine, Instant now) {
        UpgradeAttempt attempt = machine.attempt();
        if (attempt != null) {
            return new MachineSummary(describeAttemptState(attempt), attempt.rolloutRef(), null);
        }
        StartCandidate waiting = findWaitingCandidate(state, machine, now);
        RolloutEntry failed = waiting == null ? null : findQuarantine(machine, waiting);
        if (failed != null) {
            return new MachineSummary(failed.outcome().label(), failed.rolloutRef(), null);
        }
        if (waiting != null) {
            return summarizeWaiting(gates, waiting);
        }
        List<RolloutEntry> entries = machine.entries();
        if (entries.isEmpty()) {
            return new MachineSummary(notTargetedState(machine), null, null);
        }
        RolloutEntry last = entries.get(entries.size() - 1);
        return new MachineSummary(last.outcome().label(), last.rolloutRef(), null);
    }

    /**
     * The state of a machine in one campaign, whatever other rollouts do with it; null if it is not a machine of the campaign. The derived
     * state must be up to date.
     */
    public static @Nullable MachineSummary summarizeInCampaign(
            FleetState state, GateChain gates, CampaignRollout campaign, MachineView machine, Instant now) {
        MachineSummary summary = summarizeMachine(state, gates, machine, now);
        RolloutRef ref = campaign.rolloutRef();
        if (ref.equals(summary.rolloutRef())) {
            return summary;
        }
        StartCandidate candidate = campaign.isOver() ? null : state.candidateOf(campaign, machine, now);
        if (candidate != null && candidate.progressState().isWaiting()) {
            return summarizeWaiting(gates, candidate);
        }
        RolloutEntry entry = machine.entry(ref);
        return entry == null ? null : new MachineSummary(entry.outcome().label(), ref, null);
    }

    private static MachineSummary summarizeWaiting(GateChain gates, StartCandidate candidate) {
        Gate closed = gates.firstClosed(candidate);
        return new MachineSummary(
                MachineSummary.WAITING, candidate.rolloutRef(), closed == null ? null : closed.label());
    }

    /** The entry of the campaign that has opened a machine's cluster, if the machine has failed there: its intent waits for a retry. */
    private static @Nullable RolloutEntry findQuarantine(MachineView machine, StartCandidate waiting) {
        ClusterUpgrade upgrade =
                waiting.isHeldForClusterUpgrade() ? waiting.cluster().upgrade() : null;
        RolloutEntry entry = upgrade == null ? null : machine.entry(upgrade.campaign());
        return entry != null && entry.outcome() == MachineOutcome.QUARANTINED ? entry : null;
    }

    private static String notTargetedState(MachineView machine) {
        return machine.optOut() ? MachineSummary.SKIPPED : MachineSummary.NOT_TARGETED;
    }

    /** The machine as a start candidate of the first rollout for which it waits; null for none. */
    private static @Nullable StartCandidate findWaitingCandidate(FleetState state, MachineView machine, Instant now) {
        for (Rollout rollout : state.rollouts()) {
            StartCandidate candidate = rollout.isOver() ? null : state.candidateOf(rollout, machine, now);
            if (candidate != null && candidate.progressState().isWaiting()) {
                return candidate.isHeldForClusterUpgrade()
                        ? findAdmittingCandidate(state, machine, now, rollout)
                        : candidate;
            }
        }
        return null;
    }

    /**
     * The machine as a candidate of the campaign that has opened its cluster, and admits it instead of its intent; as one of the intent if
     * that campaign is over.
     */
    private static @Nullable StartCandidate findAdmittingCandidate(
            FleetState state, MachineView machine, Instant now, Rollout intents) {
        ClusterState cluster = machine.cluster();
        ClusterUpgrade upgrade = cluster == null ? null : cluster.upgrade();
        Rollout campaign = upgrade == null ? null : state.rollout(upgrade.campaign());
        StartCandidate admitting =
                campaign == null || campaign.isOver() ? null : state.candidateOf(campaign, machine, now);
        return admitting != null && admitting.progressState().isWaiting()
                ? admitting
                : state.candidateOf(intents, machine, now);
    }

    private static MachineExplanation explainWaiting(GateChain gates, StartCandidate candidate, MachineKey key) {
        List<ClosedGate> closed = gates.closed(candidate);
        String nextStep = closed.isEmpty()
                ? "It starts when its turn comes."
                : describeGates(MachineExplanation.personsFirst(closed));
        return new MachineExplanation(key, MachineSummary.WAITING, candidate.rolloutRef(), closed, nextStep);
    }

    private static String describeGates(List<ClosedGate> closed) {
        return closed.get(0).message() + describeOtherGates(closed);
    }

    /** The other closed gates, and the earliest time at which all of them can be open. */
    private static String describeOtherGates(List<ClosedGate> closed) {
        if (closed.size() == 1) {
            return "";
        }
        String others = closed.stream()
                .skip(1)
                .map(gate -> gate.gate().label() + (gate.opensAt() == null ? "" : " (until " + gate.opensAt() + ")"))
                .distinct()
                .collect(Collectors.joining(", "));
        Instant last = closed.stream()
                .map(ClosedGate::opensAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
        boolean opensAtUnknownTime = closed.stream().anyMatch(gate -> gate.opensAt() == null);
        return " Also closed: " + others
                + (last == null
                        ? "."
                        : "; it cannot start before " + last
                                + (opensAtUnknownTime ? ", and other gates must open too." : "."));
    }

    private static MachineExplanation explainEnded(
            MachineKey key, MachineView machine, @Nullable MachineStatus status) {
        List<RolloutEntry> entries = machine.entries();
        if (entries.isEmpty()) {
            String nextStep = machine.optOut() ? "It has opted out." : "No campaign or intent selects it.";
            return new MachineExplanation(key, notTargetedState(machine), null, List.of(), nextStep);
        }
        RolloutEntry last = entries.get(entries.size() - 1);
        AttemptFailure failure = status == null ? null : status.lastFailure();
        String nextStep = switch (last.outcome()) {
            case QUARANTINED ->
                "Check the node, then retry or skip the machine"
                        + (failure == null
                                ? "."
                                : "; it failed with " + failure.reason().label() + ": " + failure.text());
            case OPEN ->
                machine.optOut()
                        ? "It has opted out."
                        : machine.isPresent()
                                ? "Its campaign is over."
                                : "Its inventory row is deleted; it continues when the row is back.";
            case SUCCEEDED, UNCHANGED, SKIPPED -> "Nothing more is requested.";
        };
        return new MachineExplanation(key, last.outcome().label(), last.rolloutRef(), List.of(), nextStep);
    }

    private static String describeAttemptState(UpgradeAttempt attempt) {
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted -> MachineSummary.ADMITTED;
            case AttemptState.Running running -> running.step().label();
            case AttemptState.Unknown unknown -> MachineSummary.UNKNOWN;
        };
    }

    private static String describeNextReport(UpgradeAttempt attempt) {
        String cancelled = attempt.cancelled() ? " It is being cancelled." : "";
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted ->
                "Its worker may call until " + admitted.leaseExpiresAt() + "." + cancelled;
            case AttemptState.Running running ->
                (running.step().mayHaveCalled() ? "It should end by " : "Its worker may call until ")
                        + running.deadline() + "." + cancelled;
            case AttemptState.Unknown unknown ->
                "Its outcome has been unknown since " + unknown.since()
                        + "; it keeps its slot until a report arrives or it is declared lost.";
        };
    }
}
