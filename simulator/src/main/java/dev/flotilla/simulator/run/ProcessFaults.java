package dev.flotilla.simulator.run;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.SimSiteWorkers;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.List;

/** Faults of processes and of the log, in addition to those at the processes' own steps. */
final class ProcessFaults {
    private static final int MINUTE = 60_000;
    private static final long TOMBSTONE_RETENTION = 3L * 60 * MINUTE;
    private static final long COMPACTION_INTERVAL = 10L * MINUTE;

    private final SimWorld world;
    private final SeededRandom chance;

    ProcessFaults(SimWorld world) {
        this.world = world;
        this.chance = world.chance().split("troubles");
    }

    void begin() {
        scheduleNext();
        world.fleet().sites().forEach(site -> {
            SeededRandom moves = chance.split("channels of " + site.id());
            if (moves.percent(6)) {
                world.scheduler()
                        .after(
                                moves.between(20 * MINUTE, 240 * MINUTE),
                                () -> world.nodes().store(site.id().name()).publishNewRevisions());
            }
        });
        world.scheduler().after(COMPACTION_INTERVAL, this::compact);
    }

    private void scheduleNext() {
        long gap = 60L * MINUTE / world.config().processFaultsPerHour();
        world.scheduler().after(chance.between(gap / 4, gap * 2), () -> {
            if (world.faults().isActive()) {
                if (world.config().rates().crash() > 0) {
                    injectRandomFault();
                }
                scheduleNext();
            }
        });
    }

    private void injectRandomFault() {
        switch (chance.below(9)) {
            case 0, 1 -> randomWorker().cutOff(randomLength());
            case 2 -> randomWorker().pause(world.faults().pauseLength(chance));
            case 3 -> likelyLeader().pause(chance.between(4000, 5 * MINUTE));
            case 4 -> likelyLeader().crash("for no reason", chance.between(500, MINUTE));
            case 5 -> likelyLeader().cutOff(chance.between(2000, 3 * MINUTE));
            case 6, 7 -> {
                SimWatcher watcher =
                        chance.pick(new ArrayList<>(world.watchers().values()));
                if (chance.percent(60)) {
                    watcher.delayPublishing(chance.between(5000, 15 * MINUTE));
                } else {
                    watcher.process().cutOff(randomLength());
                }
            }
            default -> {
                SimOrchestrator orchestrator = chance.pick(world.orchestrators());
                world.faults().jumpClock(orchestrator.process().name(), chance.between(-60_000, 60_000));
                world.scheduler()
                        .after(
                                randomLength(),
                                () -> world.faults()
                                        .jumpClock(orchestrator.process().name(), 0));
            }
        }
    }

    private long randomLength() {
        return chance.percent(70) ? chance.between(2000, 3 * MINUTE) : chance.between(3 * MINUTE, 60 * MINUTE);
    }

    private SimProcess randomWorker() {
        SimSiteWorkers site = chance.pick(world.workers());
        return chance.pick(site.processes());
    }

    private SimProcess likelyLeader() {
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            if (orchestrator.isLeader() && chance.percent(80)) {
                return orchestrator.process();
            }
        }
        return chance.pick(world.orchestrators()).process();
    }

    /** Compacts partitions. Of the inputs it keeps what has not been decided on yet, because compaction has a lag. */
    private void compact() {
        long before = world.scheduler().now() - TOMBSTONE_RETENTION;
        for (TablePartition tablePartition : world.log().partitionKeys()) {
            if (tablePartition.table().compacted() && chance.percent(50)) {
                long horizon = OrchestratorPartitions.isInput(tablePartition.table())
                        ? decidedUpTo(tablePartition)
                        : Long.MAX_VALUE;
                world.log().compact(tablePartition, chance, horizon, before);
            }
        }
        world.scheduler().after(COMPACTION_INTERVAL, this::compact);
    }

    private long decidedUpTo(TablePartition tablePartition) {
        SiteId site = tablePartition.site();
        List<PartitionOffset> offsets = List.of();
        if (site == null) {
            if (world.committedRows().get(FleetHead.NONE.rowKey()) instanceof FleetHead head) {
                offsets = head.offsets();
            }
        } else if (world.committedRows().get(new RowKey(Table.HEAD, site)) instanceof SiteHead head) {
            offsets = head.offsets();
        }
        return PartitionOffset.nextOffset(offsets, tablePartition);
    }
}
