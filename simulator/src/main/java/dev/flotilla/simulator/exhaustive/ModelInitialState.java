package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.Decider;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The initial state of the model: a campaign is accepted, a leader leads, and a worker owns the partition. */
final class ModelInitialState {
    static final int CAP = 2;
    private static final int LEADERS = 2;
    private static final int WORKERS = 2;
    private static final int MACHINES = 3;
    private static final SiteId SITE = new SiteId("north");
    private static final ClusterKey CLUSTER = new ClusterKey(SITE, "default", "edge");

    private ModelInitialState() {}

    static List<MachineKey> machines() {
        List<MachineKey> machines = new ArrayList<>();
        for (int i = 0; i < MACHINES; i++) {
            machines.add(new MachineKey(SITE, "default", "m" + i));
        }
        return machines;
    }

    static ModelState world(Decider decider) {
        ModelState empty = new ModelState(
                HashedRowMap.NONE,
                List.of(),
                Collections.nCopies(MACHINES, null),
                Collections.nCopies(LEADERS, ModelLeader.STANDBY),
                Collections.nCopies(WORKERS, ModelWorker.IDLE),
                Collections.nCopies(MACHINES, ModelNode.FRESH),
                1,
                ModelState.SpentFaults.NOTHING);
        HashedRowMap rows = HashedRowMap.NONE.with(decided(decider, empty.now()));
        ModelLeader leads = ModelLeader.STANDBY.leading(rows);
        return empty.committed(rows).with(0, leads).with(0, ModelWorker.IDLE.owning(1, MACHINES));
    }

    /** Rows as of the point where everything known is decided on and nothing has started. */
    private static List<RowChange> decided(Decider decider, Instant at) {
        List<RowChange> changes = new ArrayList<>();
        DecisionEngine decisionEngine = new DecisionEngine(decider, new FleetState());
        List<DecisionInput> inputs = new ArrayList<>();
        inputs.add(new DecisionInput.LeaderElected(at));
        int offset = 0;
        for (RowChange rowChange : inputs(at)) {
            inputs.add(new DecisionInput.RecordReceived(rowChange, 0, offset++, at));
        }
        inputs.add(new DecisionInput.HeartbeatResumed(SITE, at));
        inputs.forEach(input -> decisionEngine.processInput(input, 0, decision -> changes.addAll(decision.changes())));
        return changes;
    }

    private static List<RowChange> inputs(Instant at) {
        List<RowChange> changes = new ArrayList<>();
        changes.add(new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Count(CAP), null, false, null, null, null, null));
        changes.add(new WatcherHeartbeat(SITE, "uid-of-north", "watcher", at, 0));
        changes.add(new ClusterRow(CLUSTER, "uid-of-edge", Labels.NONE, false, false, null, 0, MACHINES));
        for (MachineKey machine : machines()) {
            changes.add(new MachineRow(
                    machine,
                    "uid-of-" + machine.name(),
                    CLUSTER.name(),
                    null,
                    MachineRole.WORKER,
                    Labels.NONE,
                    "node-of-" + machine.name(),
                    null,
                    null,
                    true,
                    false,
                    false,
                    false,
                    false,
                    null,
                    "v1.32.4",
                    ModelNode.OLD,
                    "amd64",
                    List.of()));
        }
        changes.add(new Campaign(
                new CampaignName("upgrade"),
                Labels.NONE,
                // A target with a known version; otherwise one machine alone would go first to resolve it.
                new CampaignSpecBuilder(new UpgradeTarget.Channel("1.33-classic/stable"), MachineSelection.EVERYTHING)
                        .priority(0)
                        .maxUnavailable(new CountOrPercent.Count(MACHINES))
                        .retries(new RetryRule(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
                        .build()));
        return changes;
    }
}
