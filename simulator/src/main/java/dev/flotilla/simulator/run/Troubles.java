package dev.flotilla.simulator.run;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.WorkerSite;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.SimProcess;
import java.util.ArrayList;
import java.util.List;

/** What goes wrong with processes and with the log, besides what happens at their own steps. */
final class Troubles {
    private static final int MINUTE = 60_000;
    private static final long TOMBSTONES = 3L * 60 * MINUTE;
    private static final long COMPACTION = 10L * MINUTE;

    private final World world;
    private final Chance chance;

    Troubles(World world) {
        this.world = world;
        this.chance = world.chance().split("troubles");
    }

    void begin() {
        again();
        world.fleet().sites().forEach(site -> {
            Chance moves = chance.split("channels of " + site.id());
            if (moves.percent(6)) {
                world.scheduler()
                        .after(
                                moves.between(20 * MINUTE, 240 * MINUTE),
                                () -> world.nodes().store(site.id().name()).moves());
            }
        });
        world.scheduler().after(COMPACTION, this::compact);
    }

    private void again() {
        long gap = 60L * MINUTE / world.plan().troubles();
        world.scheduler().after(chance.between(gap / 4, gap * 2), () -> {
            if (world.faults().active()) {
                if (world.plan().rates().crash() > 0) {
                    strike();
                }
                again();
            }
        });
    }

    private void strike() {
        switch (chance.below(9)) {
            case 0, 1 -> victim().cutOff(length());
            case 2 -> victim().pause(world.faults().pauseLength(chance));
            case 3 -> leader().pause(chance.between(4000, 5 * MINUTE));
            case 4 -> leader().crash("for no reason", chance.between(500, MINUTE));
            case 5 -> leader().cutOff(chance.between(2000, 3 * MINUTE));
            case 6, 7 -> {
                SimWatcher watcher =
                        chance.pick(new ArrayList<>(world.watchers().values()));
                if (chance.percent(60)) {
                    watcher.lag(chance.between(5000, 15 * MINUTE));
                } else {
                    watcher.process().cutOff(length());
                }
            }
            default -> {
                Orchestrator one = chance.pick(world.orchestrators());
                world.faults().jumpClock(one.process().name(), chance.between(-60_000, 60_000));
                world.scheduler()
                        .after(
                                length(),
                                () -> world.faults().jumpClock(one.process().name(), 0));
            }
        }
    }

    private long length() {
        return chance.percent(70) ? chance.between(2000, 3 * MINUTE) : chance.between(3 * MINUTE, 60 * MINUTE);
    }

    private SimProcess victim() {
        WorkerSite site = chance.pick(world.workers());
        return chance.pick(site.processes());
    }

    private SimProcess leader() {
        for (Orchestrator orchestrator : world.orchestrators()) {
            if (orchestrator.leads() && chance.percent(80)) {
                return orchestrator.process();
            }
        }
        return chance.pick(world.orchestrators()).process();
    }

    /** The cleaner goes round. Of the inputs it leaves what nobody has decided on: compaction has a lag, too. */
    private void compact() {
        long before = world.scheduler().now() - TOMBSTONES;
        for (TablePartition tablePartition : world.log().places()) {
            if (tablePartition.table().compacted() && chance.percent(50)) {
                long horizon = OrchestratorPartitions.isInput(tablePartition.table()) ? decidedUpTo(tablePartition) : Long.MAX_VALUE;
                world.log().compact(tablePartition, chance, horizon, before);
            }
        }
        world.scheduler().after(COMPACTION, this::compact);
    }

    private long decidedUpTo(TablePartition tablePartition) {
        SiteId site = tablePartition.site();
        List<PartitionOffset> offsets = List.of();
        if (site == null) {
            if (world.committed().get(FleetHead.NONE.rowKey()) instanceof FleetHead head) {
                offsets = head.offsets();
            }
        } else if (world.committed().get(new RowKey(Table.HEAD, site)) instanceof SiteHead head) {
            offsets = head.offsets();
        }
        return PartitionOffset.nextOffset(offsets, tablePartition);
    }
}
