package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import dev.flotilla.simulator.worker.WorkerSafeguards.NodeUpgradeSafeguards;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cores and workers that are wrong about what upgrades a machine, or about NodeUpgrades. */
final class BrokenProviderCores {
    private static final String INAPPLICABLE = "a provider that applies";

    private BrokenProviderCores() {}

    static List<BrokenCore> all() {
        return List.of(
                BrokenConstraintCores.opens(
                                "inapplicable-target-started",
                                "a machine starts to a target that its provider cannot apply",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                closedGate -> closedGate.required().startsWith(INAPPLICABLE))
                        .expectedToBreak(Invariant.PROVIDER),
                BrokenConstraintCores.opens(
                                "provider-rule-ignored",
                                "what the watcher has found counts, and not the policy's provider",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                candidate -> candidate.machine().foundProvider().canApply(candidate.target()),
                                closedGate -> closedGate.required().startsWith(INAPPLICABLE))
                        .expectedToBreak(Invariant.PROVIDER),
                BrokenConstraintCores.opens(
                                "campaign-path-not-allowed",
                                "a campaign installs a file that the site's policy does not allow",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                closedGate -> closedGate.required().startsWith("a path that"))
                        .expectedToBreak(Invariant.TARGET),
                releases(
                        "release-leads-control-plane",
                        "a worker is upgraded past its control plane",
                        "at least version"),
                releases("release-downgrades", "a machine is downgraded to a version", "at most version"),
                releases("release-skips-versions", "a machine skips a minor version", "one minor version before"),
                worker(
                                "node-upgrade-believed",
                                "a NodeUpgrade that says Succeeded counts, whatever the kubelet shows",
                                WorkerSafeguards.GOOD.with(new NodeUpgradeSafeguards(false, true, true, true)))
                        .expectedToBreak(Invariant.PROOF),
                worker(
                                "second-node-upgrade-after-unknown",
                                "a worker creates another NodeUpgrade although the outcome of the first is unknown",
                                new WorkerSafeguards(true, true, true, false, true, true)
                                        .with(new NodeUpgradeSafeguards(true, false, true, true)))
                        .expectedToBreak(Invariant.ONE_CALL),
                worker(
                                "failure-for-good-retried",
                                "a NodeUpgrade that failed with retryable: false is tried again",
                                WorkerSafeguards.GOOD.with(new NodeUpgradeSafeguards(true, true, false, true)))
                        .expectedToBreak(Invariant.FAILURE_FOR_GOOD),
                worker(
                                "abort-not-awaited",
                                "an aborted attempt ends while its NodeUpgrade still runs",
                                WorkerSafeguards.GOOD.with(new NodeUpgradeSafeguards(true, true, true, false)))
                        .expectedToBreak(Invariant.ATTEMPT_END),
                BrokenConstraintCores.core(
                                "pause-aborts-what-runs",
                                "a pause of a campaign aborts the NodeUpgrades that run for it",
                                () -> BrokenProviderCores::abortingAtAPause)
                        .expectedToBreak(Invariant.ABORT));
    }

    private static Decision abortingAtAPause(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        if (decision.event() != DecisionEvent.CAMPAIGN_PAUSED) {
            return decision;
        }
        List<RowChange> changes = new ArrayList<>(decision.changes());
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof CampaignStatus campaign) {
                RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
                for (ClusterState cluster : state.clusters()) {
                    state.machines(cluster).forEach(machine -> addAbort(changes, machine.status(), rolloutRef));
                }
            }
        }
        return DecisionRewriter.of(decision, changes);
    }

    private static void addAbort(List<RowChange> changes, @Nullable MachineStatus status, RolloutRef rolloutRef) {
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        AttemptMachineSnapshot machine = attempt == null ? null : attempt.machine();
        if (status != null
                && attempt != null
                && machine != null
                && attempt.rolloutRef().equals(rolloutRef)
                && attempt.mayHaveCalled()
                && !attempt.cancelled()
                && machine.provider().canAbort()) {
            changes.add(status.with(attempt.withCancellation()));
            changes.add(new WorkerCommand.CancelUpgrade(
                    status.key(),
                    status.uid(),
                    attempt.id(),
                    "paused",
                    machine.provider(),
                    machine.template(),
                    new WorkerCommand.CancelledUpgrade(machine.role(), attempt.target(), null)));
        }
    }

    /** A core that ignores the version rule whose requirement begins with a text, for machines that get a version. */
    private static BrokenCore releases(String name, String what, String need) {
        return BrokenConstraintCores.opens(
                        name,
                        what,
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        candidate -> candidate.target() instanceof UpgradeTarget.KubernetesRelease,
                        closedGate -> closedGate.required().startsWith(need))
                .expectedToBreak(Invariant.VERSION);
    }

    private static BrokenCore worker(String name, String what, WorkerSafeguards safeguards) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(safeguards));
    }
}
