package dev.flotilla.simulator.run;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.check.InvariantChecker;
import dev.flotilla.simulator.check.ViolationLog;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.leader.OrchestratorGroup;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.log.CommittedTableRows;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.operator.OperatorTableWriter;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.SimSiteWorkers;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All parts of one simulated world, connected: fleet, log, processes and invariant checker. The classes that use it
 * decide what happens.
 */
public final class SimWorld {
    private static final int WORKER_SKEW = 300;
    private static final int LEADER_SKEW = 2000;

    private final WorldConfig config;
    private final WorldStressOptions worldStressOptions;
    private final CoverageRecorder coverageRecorder = new CoverageRecorder();
    private final SeededRandom chance;
    private final VirtualClockScheduler scheduler = new VirtualClockScheduler();
    private final FaultRateSchedule faults;
    private final Transcript transcript;
    private final SimKafkaLog log;
    private final SimFleet fleet = new SimFleet();
    private final NodeCallLedger ledger = new NodeCallLedger();
    private final SimNodeFactory nodes;
    private final CommittedTableRows committedRows = new CommittedTableRows();
    private final OperatorTableWriter operatorTables;
    private final FleetSiteProcesses processes;
    private final OrchestratorGroup orchestratorGroup;
    private final ViolationLog violationLog;
    private final InvariantChecker invariantChecker;

    /** Builds a world around the fleet that {@code furnish} creates. */
    public SimWorld(
            WorldConfig worldConfig, SystemUnderTest systemUnderTest, boolean transcribes, FleetSetup fleetSetup) {
        this.config = worldConfig;
        this.worldStressOptions = WorldStressOptions.of(worldConfig);
        this.chance = new SeededRandom(worldConfig.seed());
        this.faults = new FaultRateSchedule(scheduler, worldConfig.rates(), worldConfig.faultsEndAt());
        this.transcript = new Transcript(scheduler, transcribes);
        this.log = new SimKafkaLog(scheduler);
        if (!systemUnderTest.fencing()) {
            log.disableFencing();
        }
        log.onCommit((by, records, note) -> records.values().forEach(changes -> changes.forEach(this::committedRows)));
        log.onLoss(this::reloadPartition);
        this.nodes =
                new SimNodeFactory(scheduler, transcript, ledger, chance.split("nodes"), worldConfig.faultsEndAt(), 1);
        this.operatorTables = new OperatorTableWriter(log, transcript, committedRows);
        fleetSetup.createFleet(fleet, nodes);
        if (worldStressOptions.maximumSizes()) {
            coverageRecorder.addCondition(CoverageCondition.MAXIMUM_SIZES);
            log.limits().measureEverything();
            operatorTables.useMaximumSizes();
        }
        SystemUnderTest tested = worldStressOptions.of(systemUnderTest, worldConfig.seed(), faults::isActive);
        List<SiteId> sites = fleet.sites().stream().map(SimSite::id).toList();
        log.createSiteTopics(sites);
        this.processes = new FleetSiteProcesses(
                fleet,
                log,
                scheduler,
                faults,
                transcript,
                chance,
                new FleetSiteProcesses.SiteProcessConfig(
                        worldConfig.workersPerSite(), systemUnderTest.worker(), WORKER_SKEW, 1));
        List<SimProcess> leaders = new ArrayList<>();
        for (int i = 1; i <= worldConfig.orchestrators(); i++) {
            String name = "orchestrator." + i;
            SeededRandom own = chance.split(name);
            long skew = own.between(-LEADER_SKEW, LEADER_SKEW);
            leaders.add(new SimProcess(name, scheduler, faults, transcript, own, skew, 1));
        }
        this.orchestratorGroup = new OrchestratorGroup(
                log,
                scheduler,
                faults,
                transcript,
                chance.split("leader"),
                sites,
                tested.decider(),
                tested.orchestrator(),
                worldConfig.loopConfig(),
                leaders);
        this.violationLog = new ViolationLog(worldConfig.seed(), scheduler, transcript);
        log.onRejection(violationLog::addRejectedRecord);
        this.invariantChecker = new InvariantChecker(
                scheduler,
                violationLog,
                log,
                committedRows,
                fleet,
                ledger,
                chance.split("checker"),
                sites,
                processes.workerProcesses(),
                orchestratorGroup.orchestrators(),
                worldConfig.comparisons());
    }

    private void committedRows(RowChange rowChange) {
        committedRows.put(rowChange);
        coverageRecorder.addRow(rowChange);
    }

    /** Replaces the committed rows of a partition that has lost records by what it still contains. */
    private void reloadPartition(TablePartition tablePartition) {
        committedRows.removeIf(at -> OrchestratorPartitions.partitionOf(at).equals(tablePartition));
        for (SimLogReader.FetchedRecord left : new SimLogReader(log).upTo(tablePartition, log.end(tablePartition))) {
            if (left.logged().rowChange() != null) {
                committedRows.put(left.logged().rowChange());
            }
        }
    }

    /** The conditions that have arisen so far. */
    CoverageRecorder coverage() {
        return coverageRecorder;
    }

    /** Creates the sites, clusters and machines of a world. */
    @FunctionalInterface
    public interface FleetSetup {
        void createFleet(SimFleet fleet, SimNodeFactory nodes);
    }

    /** Starts every process. */
    public void start() {
        processes.start();
        orchestratorGroup.start();
    }

    public WorldConfig config() {
        return config;
    }

    public SeededRandom chance() {
        return chance;
    }

    public VirtualClockScheduler scheduler() {
        return scheduler;
    }

    public FaultRateSchedule faults() {
        return faults;
    }

    public Transcript transcript() {
        return transcript;
    }

    public SimKafkaLog log() {
        return log;
    }

    public SimFleet fleet() {
        return fleet;
    }

    public NodeCallLedger ledger() {
        return ledger;
    }

    public SimNodeFactory nodes() {
        return nodes;
    }

    public CommittedTableRows committedRows() {
        return committedRows;
    }

    public OperatorTableWriter operatorTables() {
        return operatorTables;
    }

    public Map<SiteId, SimWatcher> watchers() {
        return processes.watchers();
    }

    /** The watcher and the workers of a site. */
    public List<SimProcess> processesOf(SiteId site) {
        return processes.bySite().getOrDefault(site, List.of());
    }

    public List<SimSiteWorkers> workers() {
        return processes.workers();
    }

    public List<SimOrchestrator> orchestrators() {
        return orchestratorGroup.orchestrators();
    }

    public ViolationLog violations() {
        return violationLog;
    }

    public InvariantChecker checker() {
        return invariantChecker;
    }
}
