package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Cores that handle intents wrongly. */
final class BrokenIntentCores {
    private BrokenIntentCores() {}

    static List<BrokenCore> all() {
        return List.of(
                core(
                                "owner-before-machine",
                                "an owner's intent has precedence over the machine's own intent",
                                () -> BrokenIntentCores::ownerFirst)
                        .expectedToBreak(Invariant.ROLLOUT_PRECEDENCE),
                core(
                                "joiner-ignored",
                                "a machine that joins after its owner's intent was set is never upgraded for it",
                                JoinersLeftOut::new)
                        .expectedToBreak(Invariant.NOTHING_LOST),
                BrokenConstraintCores.opens(
                                "annotations-uncapped",
                                "a policy's cap for intents is ignored",
                                GateLabel.CAMPAIGN_CAP,
                                closedGate -> closedGate.message().contains("The intents of site"))
                        .expectedToBreak(Invariant.ANNOTATION_CAP),
                core(
                                "annotations-always-first",
                                "a campaign waits for intents of a lower priority",
                                () -> closedTo(BrokenIntentCores::campaignBeforeAnnotations))
                        .expectedToBreak(Invariant.SLOT_FAIRNESS),
                core(
                                "annotations-always-last",
                                "intents wait for campaigns of a lower priority",
                                () -> closedTo(BrokenIntentCores::annotationBeforeCampaigns))
                        .expectedToBreak(Invariant.SLOT_FAIRNESS),
                core(
                                "sites-by-alphabet",
                                "the intents of a site wait for those of all sites with an earlier name",
                                () -> closedTo(BrokenIntentCores::hasSiteBefore))
                        .expectedToBreak(Invariant.SLOT_FAIRNESS),
                BrokenConstraintCores.opens(
                                "strict-forgotten",
                                "a strict campaign continues in a cluster in which it failed",
                                GateLabel.CLUSTER_ORDER,
                                closedGate -> closedGate.message().contains("is strict"))
                        .expectedToBreak(Invariant.STRICT));
    }

    private static FleetDecider closedTo(Predicate<StartCandidate> wrongly) {
        return new FleetDecider(GateChain.standard()
                .with(
                        GateLabel.CAMPAIGN_NOT_RUNNING,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate) && !wrongly.test(candidate),
                                gate.explain())));
    }

    private static boolean campaignBeforeAnnotations(StartCandidate candidate) {
        return candidate.rollout() instanceof CampaignRollout own
                && others(candidate, SiteIntentsRollout.class).anyMatch(other -> other.priority() < own.priority());
    }

    private static boolean annotationBeforeCampaigns(StartCandidate candidate) {
        return candidate.rollout() instanceof SiteIntentsRollout own
                && others(candidate, CampaignRollout.class)
                        .anyMatch(other -> !other.isOver() && other.priority() < own.priority());
    }

    private static boolean hasSiteBefore(StartCandidate candidate) {
        return candidate.rollout() instanceof SiteIntentsRollout own
                && others(candidate, SiteIntentsRollout.class)
                        .anyMatch(other -> other.priority() == own.priority()
                                && other.site()
                                                .id()
                                                .name()
                                                .compareTo(own.site().id().name())
                                        < 0);
    }

    private static <T extends Rollout> Stream<T> others(StartCandidate candidate, Class<T> kind) {
        return ((FleetState) candidate.state())
                .rollouts().stream()
                        .filter(kind::isInstance)
                        .map(kind::cast)
                        .filter(other -> other.remaining() > other.inFlight());
    }

    private static BrokenCore core(String name, String what, Supplier<Decider> decider) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(decider));
    }

    private static Decision ownerFirst(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        List<RowChange> changes = new ArrayList<>();
        UpgradeIntent ofOwner = null;
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof MachineStatus status) {
                ofOwner = overridingIntent(state, decision, status);
            }
            changes.add(ofOwner == null ? rowChange : withIntent(rowChange, ofOwner));
        }
        return ofOwner == null ? decision : DecisionRewriter.of(decision, changes);
    }

    /** The intent of a machine's owner, if the machine is started for its own intent; null otherwise. */
    private static @Nullable UpgradeIntent overridingIntent(FleetState state, Decision decision, MachineStatus status) {
        UpgradeAttempt attempt = status.attempt();
        boolean starts = attempt != null
                && attempt.id() == decision.seq()
                && attempt.rolloutRef() instanceof RolloutRef.IntentRef by
                && by.object() instanceof MachineKey;
        MachineView machine = starts ? state.machine(status.key()) : null;
        OwnerKey owner = machine == null ? null : machine.owner();
        return owner == null ? null : state.intent(owner);
    }

    private static RowChange withIntent(RowChange rowChange, UpgradeIntent to) {
        if (rowChange instanceof MachineStatus status && status.attempt() != null) {
            UpgradeAttempt attempt = status.attempt();
            return status.with(new UpgradeAttempt(
                    attempt.id(),
                    new RolloutRef.IntentRef(to.object(), to.requestedAt()),
                    to.target(),
                    attempt.state(),
                    attempt.admittedAt(),
                    attempt.cancelled(),
                    attempt.machine()));
        }
        return rowChange instanceof WorkerCommand.UpgradeMachine command ? command.withTarget(to.target()) : rowChange;
    }

    /** A decider that ignores machines which join an owner after its intent was set. */
    private static final class JoinersLeftOut implements Decider {
        private final Set<MachineKey> joiners = new LinkedHashSet<>();
        private final FleetDecider decider =
                new FleetDecider(GateChain.standard().with(GateLabel.MACHINE_NOT_ELIGIBLE, this::closed));

        private Gate closed(Gate gate) {
            return new Gate(
                    gate.label(),
                    gate.level(),
                    gate.leaseEffect(),
                    candidate -> gate.isOpen(candidate) && !isLeftOut(candidate),
                    gate.explain());
        }

        private boolean isLeftOut(StartCandidate candidate) {
            return !joiners.isEmpty()
                    && candidate.rolloutRef() instanceof RolloutRef.IntentRef by
                    && by.object() instanceof OwnerKey
                    && joiners.contains(candidate.machine().key());
        }

        @Override
        public Decision decide(FleetState state, DecisionInput input) {
            if (input instanceof DecisionInput.RecordReceived recordReceived
                    && recordReceived.change() instanceof MachineRow row
                    && state.machine(row.key()) == null
                    && row.owner() != null
                    && state.intent(new OwnerKey(
                                    row.key().site(),
                                    row.owner().kind(),
                                    row.key().namespace(),
                                    row.owner().name()))
                            != null) {
                joiners.add(row.key());
            }
            return decider.decide(state, input);
        }
    }
}
