package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Cores that ignore a campaign's constraints. */
final class BrokenConstraintCores {
    private BrokenConstraintCores() {}

    static List<BrokenCore> all() {
        return List.of(
                opens(
                                "cluster-soak-ignored",
                                "a cluster continues immediately after a success",
                                GateLabel.CLUSTER_HEALTH,
                                closedGate -> closedGate.message().contains("soaks after a success"))
                        .expectedToBreak(Invariant.CLUSTER_SOAK),
                core(
                                "cluster-soak-forgotten",
                                "a success sets no cluster soak",
                                () -> (state, input) -> changing(state, input, BrokenConstraintCores::restless))
                        .expectedToBreak(Invariant.CLUSTER_SOAK),
                opens(
                                "dependency-ignored",
                                "a campaign does not wait for the one that it depends on",
                                GateLabel.CAMPAIGN_NOT_RUNNING,
                                closedGate -> closedGate.actual().startsWith("less than"))
                        .expectedToBreak(Invariant.DEPENDENCY),
                core(
                                "stale-edit-accepted",
                                "an edit with an outdated content hash overwrites later edits",
                                () -> BrokenConstraintCores::takingAnyEdit)
                        .expectedToBreak(Invariant.EDIT),
                core(
                                "slots-by-age",
                                "the oldest campaign of a priority takes all slots, whatever the weights",
                                () -> new FleetDecider(GateChain.standard()
                                        .with(GateLabel.CAMPAIGN_NOT_RUNNING, BrokenConstraintCores::closedToYounger)))
                        .expectedToBreak(Invariant.SLOT_FAIRNESS));
    }

    static BrokenCore core(String name, String what, Supplier<Decider> decider) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(decider));
    }

    /** A core with a gate that is also open where it should be closed; the closed gate's message selects the cases. */
    static BrokenCore opens(String name, String what, GateLabel label, Predicate<ClosedGate> wrongly) {
        return opens(name, what, label, candidate -> true, wrongly);
    }

    /**
     * A core with a gate that is also open for some candidates where it should be closed; the closed gate's message
     * selects the cases.
     */
    static BrokenCore opens(
            String name, String what, GateLabel label, Predicate<StartCandidate> whom, Predicate<ClosedGate> wrongly) {
        GateChain broken = GateChain.standard()
                .with(
                        label,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate)
                                        || (whom.test(candidate) && wrongly.test(gate.explain(candidate))),
                                gate.explain()));
        return core(name, what, () -> new FleetDecider(broken));
    }

    private static Decision takingAnyEdit(FleetState state, DecisionInput input) {
        if (!(input instanceof DecisionInput.RecordReceived recordReceived)
                || !(recordReceived.change() instanceof Campaign edit)
                || state.rollout(edit.name()) == null) {
            return FleetDecider.standard().decide(state, input);
        }
        Campaign bare = new Campaign(
                edit.name(),
                edit.labels(),
                CampaignSpecBuilder.from(edit.spec()).expectedContentHash(null).build());
        return changing(
                state,
                new DecisionInput.RecordReceived(
                        bare, recordReceived.partition(), recordReceived.offset(), recordReceived.at()),
                rowChange -> rowChange.equals(bare)
                        ? edit
                        : rowChange instanceof CampaignStatus status
                                        && status.acceptedCampaign().equals(bare)
                                ? status.withAcceptedCampaign(edit)
                                : rowChange);
    }

    private static Gate closedToYounger(Gate gate) {
        return new Gate(
                gate.label(),
                gate.level(),
                gate.leaseEffect(),
                candidate -> gate.isOpen(candidate) && !hasElder(candidate),
                gate.explain());
    }

    private static boolean hasElder(StartCandidate candidate) {
        return candidate.rollout() instanceof CampaignRollout own
                && ((FleetState) candidate.state())
                        .campaigns().values().stream()
                                .anyMatch(other -> other.spec().priority()
                                                == own.spec().priority()
                                        && other.status().uid() < own.status().uid()
                                        && other.status().state() == CampaignState.RUNNING
                                        && other.remaining() > 0);
    }

    static Decision changing(FleetState state, DecisionInput input, UnaryOperator<RowChange> change) {
        return DecisionRewriter.each(FleetDecider.standard().decide(state, input), change);
    }

    private static RowChange restless(RowChange rowChange) {
        if (!(rowChange instanceof MachineStatus status)) {
            return rowChange;
        }
        List<RolloutEntry> entries = new ArrayList<>();
        for (RolloutEntry entry : status.entries()) {
            entries.add(new RolloutEntry(
                    entry.rolloutRef(), entry.wave(), entry.failedAttempts(), entry.retryAt(), entry.outcome()));
        }
        return new MachineStatus(status.key(), status.uid(), status.attempt(), status.lastFailure(), entries);
    }
}
