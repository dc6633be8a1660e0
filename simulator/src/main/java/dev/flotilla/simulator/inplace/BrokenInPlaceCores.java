package dev.flotilla.simulator.inplace;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Cores that are wrong about clusters whose machines Cluster API updates in place. */
final class BrokenInPlaceCores {
    private BrokenInPlaceCores() {}

    /** Returns the cores by the bug that each has. */
    static Map<String, Decider> all() {
        Map<String, Decider> cores = new LinkedHashMap<>();
        cores.put("a machine starts before Cluster API asks for it", opens(GateLabel.CLUSTER_API));
        cores.put(
                "a task starts its machine although a campaign has opened the cluster",
                opens(GateLabel.CLAIMED_BY_OTHER));
        cores.put("a paused campaign opens clusters and starts machines", opens(GateLabel.CAMPAIGN_NOT_RUNNING));
        cores.put("clusters are opened and machines started in a frozen fleet", opens(GateLabel.FREEZE));
        cores.put("more clusters are open than the cap has slots for", opens(GateLabel.FLEET_CAP));
        cores.put(
                "machines are replaced without permission",
                receives(row -> withFields(
                        row,
                        field ->
                                new VersionField(field.kind(), field.name(), field.version(), field.manager(), null))));
        cores.put("a version that somebody else writes is ignored", ignoresForeignVersions());
        cores.put("workers are written together with their control plane", writesAll());
        cores.put(
                "a field is written whatever value it has",
                changes(upgrade -> upgrade.withChanges(upgrade.changes().stream()
                        .map(change -> new VersionFieldChange(change.kind(), change.name(), "v1.0.0", change.written()))
                        .toList())));
        cores.put("a cluster is closed when somebody else writes a version", closesAfterForeignVersions());
        cores.put("an aborted campaign lets go of what Cluster API asks for", forgetsAborted());
        cores.put("a campaign upgrades to the version alone, and the rest of the request follows", upgradesTwice());
        cores.put("a task upgrades again what its campaign has upgraded", forgetsTasks());
        cores.put("a task that is created again upgrades its machine again", upgradesForEachTask());
        return cores;
    }

    /** As if the target of a campaign's attempt were always the campaign's. */
    private static Decider upgradesTwice() {
        FleetDecider standard = FleetDecider.standard();
        return (state, input) -> {
            Decision decision = standard.decide(state, input);
            return decision.event() == DecisionEvent.ATTEMPT_CANCELLING
                            && decision.reason().equals("request-replaced")
                    ? Decision.NOTHING
                    : each(decision, row -> withTargetOfCampaign(state, row));
        };
    }

    private static RowChange withTargetOfCampaign(FleetState state, RowChange row) {
        return row instanceof MachineStatus status
                        && status.attempt() != null
                        && state.rollout(status.attempt().rolloutRef()) instanceof CampaignRollout campaign
                ? status.with(
                        withTarget(status.attempt(), campaign.spec().target().option()))
                : row;
    }

    private static UpgradeAttempt withTarget(UpgradeAttempt attempt, UpgradeTarget target) {
        return new UpgradeAttempt(
                attempt.id(),
                attempt.rolloutRef(),
                target,
                attempt.state(),
                attempt.admittedAt(),
                attempt.cancelled(),
                attempt.machine());
    }

    /** As if the success of a campaign's attempt fulfilled no task. */
    private static Decider forgetsTasks() {
        return changes(
                DecisionEvent.ATTEMPT_SUCCEEDED,
                (row, state) -> row instanceof MachineStatus status ? withoutTasks(status, state) : row);
    }

    /** As if nobody knew to which hash a task has upgraded its machine. */
    private static Decider upgradesForEachTask() {
        UpgradeTarget unknown = UpgradeTarget.parse("version=v1.0.0");
        return changes(
                DecisionEvent.ATTEMPT_SUCCEEDED,
                (row, state) -> row instanceof MachineStatus status
                        ? status.withEntries(status.entries().stream()
                                .map(entry -> entry.withTarget(unknown))
                                .toList())
                        : row);
    }

    private static MachineStatus withoutTasks(MachineStatus status, FleetState state) {
        MachineView machine = state.machine(status.key());
        UpgradeAttempt ended = machine == null ? null : machine.attempt();
        return ended == null || ended.rolloutRef() instanceof RolloutRef.IntentRef
                ? status
                : new MachineStatus(
                        status.key(),
                        status.uid(),
                        status.attempt(),
                        status.lastFailure(),
                        status.entries().stream()
                                .filter(entry -> entry.rolloutRef() instanceof RolloutRef.CampaignRef)
                                .toList(),
                        status.preparation());
    }

    private static Decider opens(GateLabel label) {
        return new FleetDecider(GateChain.standard()
                .with(
                        label,
                        gate -> new Gate(
                                gate.label(), gate.level(), gate.leaseEffect(), candidate -> true, gate.explain())));
    }

    private static Decider receives(Function<ClusterRow, ClusterRow> change) {
        return (state, input) -> FleetDecider.standard()
                .decide(
                        state,
                        input instanceof DecisionInput.RecordReceived received
                                        && received.change() instanceof ClusterRow row
                                ? new DecisionInput.RecordReceived(
                                        change.apply(row), received.partition(), received.offset(), received.at())
                                : input);
    }

    private static ClusterRow withFields(ClusterRow row, UnaryOperator<VersionField> change) {
        return row.withVersionFields(row.versionFields().stream().map(change).toList());
    }

    private static Decider changes(UnaryOperator<ClusterUpgrade> change) {
        return (state, input) -> each(
                FleetDecider.standard().decide(state, input),
                row -> row instanceof ClusterUpgrade upgrade ? change.apply(upgrade) : row);
    }

    /** A core in whose decisions with an event each row is changed. */
    private static Decider changes(DecisionEvent event, BiFunction<RowChange, FleetState, RowChange> change) {
        return (state, input) -> {
            Decision decision = FleetDecider.standard().decide(state, input);
            return decision.event() == event ? each(decision, row -> change.apply(row, state)) : decision;
        };
    }

    private static Decision each(Decision decision, UnaryOperator<RowChange> change) {
        return decision.isNothing()
                ? decision
                : new Decision(
                        decision.seq(),
                        decision.at(),
                        decision.event(),
                        decision.subject(),
                        decision.reason(),
                        decision.changes().stream().map(change).toList());
    }

    private static Decider ignoresForeignVersions() {
        return (state, input) -> {
            Decision decision = FleetDecider.standard().decide(state, input);
            return decision.event() == DecisionEvent.CAMPAIGN_PAUSED
                            && decision.reason().contains("has written version")
                    ? Decision.NOTHING
                    : decision;
        };
    }

    private static Decider closesAfterForeignVersions() {
        return (state, input) -> {
            Decision decision = FleetDecider.standard().decide(state, input);
            return decision.reason().contains("has written version")
                    ? each(decision, row -> row instanceof ClusterUpgrade ? new Tombstone(row.rowKey()) : row)
                    : decision;
        };
    }

    private static Decider writesAll() {
        return changes(
                DecisionEvent.CLUSTER_UPGRADE_OPENED,
                (row, state) -> row instanceof ClusterUpgrade upgrade
                        ? withAllFields(upgrade, state.cluster(upgrade.cluster()))
                        : row);
    }

    private static ClusterUpgrade withAllFields(ClusterUpgrade upgrade, @Nullable ClusterState cluster) {
        ClusterRow row = cluster == null ? null : cluster.row();
        List<VersionFieldChange> changes = new ArrayList<>(upgrade.changes());
        for (VersionField field : row == null ? List.<VersionField>of() : row.versionFields()) {
            if (upgrade.changeOf(field) == null) {
                changes.add(new VersionFieldChange(field.kind(), field.name(), field.version(), false));
            }
        }
        return upgrade.withChanges(changes);
    }

    /** As if the row of an aborted campaign's cluster were not there. */
    private static Decider forgetsAborted() {
        return new FleetDecider(GateChain.standard()
                .with(
                        GateLabel.CLAIMED_BY_OTHER,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate) || isHeldByAborted(candidate),
                                gate.explain())));
    }

    private static boolean isHeldByAborted(StartCandidate candidate) {
        ClusterUpgrade upgrade = candidate.cluster().upgrade();
        CampaignRollout campaign = upgrade == null
                ? null
                : candidate.state().rollout(upgrade.campaign().name());
        return candidate.isHeldForClusterUpgrade() && campaign != null && campaign.isOver();
    }
}
