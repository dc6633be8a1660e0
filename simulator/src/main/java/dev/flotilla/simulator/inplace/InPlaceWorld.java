package dev.flotilla.simulator.inplace;

import dev.flotilla.core.Decider;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.simulator.inplace.InPlaceCluster.InPlaceMachine;
import dev.flotilla.simulator.world.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A seeded world of a few clusters that Cluster API updates in place, until its campaigns have ended. */
final class InPlaceWorld implements InPlaceScene {
    private static final SiteId SITE = new SiteId("north");
    static final String OLD = "v1.35.4";
    private static final int STEPS = 400;
    private static final int ROUNDS = 80;
    private static final int MAX_DECISIONS = 2_000;

    private final SeededRandom chance;
    private final SeededRandom hashes;
    private final Decider decider;
    private final InPlaceObserver observer;
    private final InPlaceInvariants invariants = new InPlaceInvariants();
    private final Map<ClusterKey, InPlaceCluster> clusters = new LinkedHashMap<>();
    private final InPlaceOperators operators;
    private final InPlaceWorkers workers;
    private final InPlaceAccidents accidents;
    private final InPlaceClusterApi clusterApi = new InPlaceClusterApi(this);

    /** Objects that the watcher has not published since they changed. */
    private final Set<InPlaceCluster> dirtyClusters = new LinkedHashSet<>();

    private final Set<InPlaceMachine> dirtyMachines = new LinkedHashSet<>();
    private final Set<DecisionEvent> events = EnumSet.noneOf(DecisionEvent.class);
    private DecisionEngine engine;
    private Instant now = Instant.parse("2026-03-01T00:00:00Z");
    private long offset;

    private InPlaceWorld(long seed, Decider decider, InPlaceObserver observer) {
        this.observer = observer;
        this.chance = new SeededRandom(seed).split("in-place clusters");
        this.hashes = new SeededRandom(seed).split("requests by hash");
        this.decider = decider;
        this.operators = new InPlaceOperators(this, chance);
        this.accidents = new InPlaceAccidents(this, seed);
        this.workers = new InPlaceWorkers(this, chance, accidents);
        this.engine = new DecisionEngine(decider, new FleetState());
    }

    /**
     * The result of a seed.
     *
     * @param stuck campaigns that should have completed and have not
     * @param events the events of the decisions
     */
    record InPlaceResult(List<String> violations, List<String> stuck, Set<DecisionEvent> events) {}

    /** What sees all that happens, in its order. */
    interface InPlaceObserver {
        void received(RowChange row, long offset, Instant at);

        void decided(Decision decision);
    }

    /** Runs a seed with a core. */
    static InPlaceResult run(long seed, Decider decider) {
        return run(seed, decider, new InPlaceObserver() {
            @Override
            public void received(RowChange row, long offset, Instant at) {
                // Nobody looks.
            }

            @Override
            public void decided(Decision decision) {
                // Nobody looks.
            }
        });
    }

    /** Runs a seed with a core, and shows what happens. */
    static InPlaceResult run(long seed, Decider decider, InPlaceObserver observer) {
        InPlaceWorld world = new InPlaceWorld(seed, decider, observer);
        world.build();
        for (int i = 0; i < STEPS && world.invariants.violations().isEmpty(); i++) {
            world.step();
        }
        world.finish();
        return new InPlaceResult(
                List.copyOf(world.invariants.violations()),
                world.invariants.violations().isEmpty() ? world.findStuck() : List.of(),
                world.events);
    }

    private void build() {
        decide(new DecisionInput.LeaderElected(now));
        operators.policy();
        receive(new WatcherHeartbeat(SITE, "uid-of-north", "watcher", now, 0));
        decide(new DecisionInput.HeartbeatResumed(SITE, now));
        int count = chance.between(1, 4);
        for (int i = 0; i < count; i++) {
            List<Integer> workers = new ArrayList<>();
            for (int deployments = chance.between(0, 2); deployments > 0; deployments--) {
                workers.add(chance.between(1, 3));
            }
            InPlaceCluster cluster = new InPlaceCluster(
                    new ClusterKey(SITE, "fleet", "k" + i),
                    chance.percent(40),
                    chance.percent(70) ? 3 : 1,
                    workers,
                    OLD);
            cluster.requestsByHash = hashes.percent(60);
            if (chance.percent(15)) {
                cluster.problems.put(chance.pick(List.copyOf(cluster.versions.keySet())), "its maxSurge is 1");
            }
            clusters.put(cluster.key, cluster);
            dirtyClusters.add(cluster);
            dirtyMachines.addAll(cluster.machines);
        }
        publishAll();
    }

    @Override
    public void receive(RowChange rowChange) {
        invariants.rows().put(rowChange.rowKey(), rowChange);
        observer.received(rowChange, offset, now);
        decide(new DecisionInput.RecordReceived(rowChange, 0, offset++, now));
    }

    /** The watcher publishes that an object is gone. */
    @Override
    public void remove(Table table, EntityKey key) {
        if (!(invariants.rows().row(table, key, RowChange.class) instanceof Tombstone)) {
            receive(new Tombstone(new RowKey(table, key)));
        }
    }

    private void decide(DecisionInput input) {
        engine.processInput(input, MAX_DECISIONS, decision -> {
            events.add(decision.event());
            observer.decided(decision);
            invariants.check(decision);
        });
        invariants.checkQuiet();
        clusters.values().forEach(cluster -> cluster.machines.forEach(invariants::checkTask));
    }

    private void step() {
        accidents.mayHappen();
        int drawn = chance.below(100);
        if (drawn < 14) {
            now = now.plusSeconds(chance.between(5, 120));
            decide(new DecisionInput.TimePassed(now));
        } else if (drawn < 36) {
            clusterApi.reconcile(anyCluster());
        } else if (drawn < 56) {
            publishAny();
        } else if (drawn < 66) {
            writeFields();
        } else if (drawn < 88) {
            workers.reportAny();
        } else if (drawn < 97) {
            operators.interfere();
        } else {
            restore();
        }
    }

    @Override
    public InPlaceOperators operators() {
        return operators;
    }

    @Override
    public InPlaceInvariants invariants() {
        return invariants;
    }

    @Override
    public Collection<InPlaceCluster> clusters() {
        return clusters.values();
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void markChanged(InPlaceCluster cluster) {
        dirtyClusters.add(cluster);
    }

    @Override
    public void markChanged(InPlaceMachine machine) {
        dirtyMachines.add(machine);
    }

    @Override
    public InPlaceCluster anyCluster() {
        return chance.pick(List.copyOf(clusters.values()));
    }

    private void publishAny() {
        if (!dirtyClusters.isEmpty() && (dirtyMachines.isEmpty() || chance.percent(40))) {
            publish(chance.pick(List.copyOf(dirtyClusters)));
        } else if (!dirtyMachines.isEmpty()) {
            publish(chance.pick(List.copyOf(dirtyMachines)));
        }
    }

    private void publish(InPlaceCluster cluster) {
        dirtyClusters.remove(cluster);
        receive(cluster.row());
    }

    private void publish(InPlaceMachine machine) {
        dirtyMachines.remove(machine);
        InPlaceCluster cluster = clusterOf(machine);
        receive(cluster.row(machine));
        UpgradeIntent before = invariants.rows().row(Table.INTENTS, machine.key, UpgradeIntent.class);
        UpgradeTarget requested = machine.requestedTarget();
        if (requested == null) {
            if (before != null) {
                receive(new Tombstone(new RowKey(Table.INTENTS, machine.key)));
            }
        } else if (before == null
                || before.task() == null
                || !before.task().uid().equals(machine.taskUid())
                || !before.target().equals(requested)) {
            UpgradeIntent intent = new UpgradeIntent(
                    machine.key,
                    machine.uid(),
                    requested,
                    now.plusMillis(machine.tasks),
                    new UpgradeTaskRef(null, machine.key.name() + "-task", machine.taskUid()));
            receive(machine.requestedByHash ? intent.withExpectedVersion(machine.requested) : intent);
        }
    }

    private InPlaceCluster clusterOf(InPlaceMachine machine) {
        return clusters.values().stream()
                .filter(cluster -> cluster.machines.contains(machine))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void publishAll() {
        List.copyOf(dirtyClusters).forEach(this::publish);
        List.copyOf(dirtyMachines).forEach(this::publish);
    }

    /** The watcher writes what open clusters ask for, if the field has the expected value. */
    private void writeFields() {
        for (InPlaceCluster cluster : clusters.values()) {
            ClusterUpgrade upgrade = invariants.rows().upgrade(cluster.key);
            if (upgrade == null) {
                continue;
            }
            for (VersionFieldChange change : upgrade.changes()) {
                if (!change.written()
                        && change.from().equals(cluster.version(change.kind(), change.name()))
                        && !change.from().equals(upgrade.version())) {
                    cluster.write(change.kind(), change.name(), upgrade.version(), "flotilla-campaign");
                    dirtyClusters.add(cluster);
                }
            }
        }
    }

    /** Another leader reads the rows. */
    private void restore() {
        FleetState state = new FleetState();
        invariants.rows().shuffled(chance).forEach(state::put);
        state.markRestored(SITE);
        engine = new DecisionEngine(decider, state);
        decide(new DecisionInput.LeaderElected(now));
    }

    /** Nobody interferes any more, and everything works. */
    private void finish() {
        operators.freeze(false);
        InPlaceOperators.NAMES.stream().filter(operators::isAborted).forEach(operators::removeCampaign);
        for (int round = 0; round < ROUNDS && invariants.violations().isEmpty(); round++) {
            for (String name : List.copyOf(operators.campaigns().keySet())) {
                CampaignStatus status = operators.status(name);
                if (status != null && status.state() == CampaignState.PAUSED) {
                    operators.order(name, OperatorOrder.OrderVerb.RUN);
                }
                operators.order(name, OperatorOrder.OrderVerb.RETRY);
            }
            writeFields();
            clusters.values().forEach(clusterApi::reconcile);
            publishAll();
            workers.reportAll();
            now = now.plus(Duration.ofMinutes(20));
            decide(new DecisionInput.TimePassed(now));
        }
    }

    /** Why each machine waits. */
    private String explainWaiting() {
        StringBuilder text = new StringBuilder();
        for (InPlaceCluster cluster : clusters.values()) {
            for (InPlaceMachine machine : cluster.machines) {
                MachineExplanation explanation =
                        MachineExplainer.explainMachine(engine.state(), GateChain.standard(), machine.key, now);
                if (!explanation.closedGates().isEmpty()) {
                    text.append('\n').append(machine.key.name()).append(": ").append(explanation.closedGates());
                }
            }
        }
        return text.toString();
    }

    /** Campaigns of all machines that nothing forbids, and that have not completed. */
    private List<String> findStuck() {
        List<String> stuck = new ArrayList<>();
        for (Campaign campaign : operators.campaigns().values()) {
            CampaignStatus status = operators.status(campaign.name().name());
            String version =
                    ((UpgradeTarget.KubernetesRelease) campaign.spec().target().option()).version();
            boolean isFree = campaign.spec().select().roles().isEmpty()
                    && InPlaceOperators.NAMES.stream()
                            .map(operators::status)
                            .filter(Objects::nonNull)
                            .allMatch(other -> other.acceptedCampaign()
                                    .spec()
                                    .target()
                                    .option()
                                    .equals(campaign.spec().target().option()))
                    && clusters.values().stream()
                            .allMatch(cluster -> cluster.problems.isEmpty()
                                    && cluster.topologyVersion.compareTo(version) <= 0
                                    && cluster.machines.stream()
                                            .allMatch(machine -> machine.version.compareTo(version) <= 0)
                                    && cluster.versions.values().stream()
                                            .allMatch(each -> each.compareTo(version) <= 0));
            if (isFree && status != null && status.state() == CampaignState.RUNNING) {
                stuck.add("campaign " + campaign.name() + " to " + version + explainWaiting());
            }
        }
        return stuck;
    }
}
