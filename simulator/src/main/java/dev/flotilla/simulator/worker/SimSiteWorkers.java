package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a site and their consumer group, which distributes the partitions of the site's commands. The group
 * only hints: a worker that missed a rebalance continues until the log fences it.
 */
public final class SimSiteWorkers {
    private static final long SESSION_TIMEOUT = 8000;
    private static final long CHECK_INTERVAL = 2000;

    private final SimSite site;
    private final SimKafkaLog log;
    private final VirtualClockScheduler scheduler;
    private final FaultRateSchedule faults;
    private final Transcript transcript;
    private final SeededRandom chance;
    private final WorkerSafeguards safeguards;
    private final List<SimProcess> processes;
    private final Map<SimProcess, Long> lastSeen = new LinkedHashMap<>();
    private final List<@Nullable SimProcess> owners = new ArrayList<>();
    private final List<SimCommandPartition> partitions = new ArrayList<>();

    public SimSiteWorkers(
            SimSite site,
            SimKafkaLog log,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            WorkerSafeguards safeguards,
            List<SimProcess> processes) {
        this.site = site;
        this.log = log;
        this.scheduler = scheduler;
        this.faults = faults;
        this.transcript = transcript;
        this.chance = chance;
        this.safeguards = safeguards;
        this.processes = List.copyOf(processes);
        for (int i = 0; i < Table.COMMANDS.partitions(); i++) {
            int partition = i;
            owners.add(null);
            log.addListener(new TablePartition(Table.COMMANDS, site.id(), i), () -> notifyPartitions(partition));
        }
        for (SimProcess process : processes) {
            process.onStartAndCrash(() -> started(process), () -> stopped(process));
        }
    }

    public void start() {
        for (SimProcess process : processes) {
            process.start();
        }
        checkWorkers();
    }

    public List<SimProcess> processes() {
        return processes;
    }

    SimSite site() {
        return site;
    }

    SimKafkaLog log() {
        return log;
    }

    FaultRateSchedule faults() {
        return faults;
    }

    Transcript transcript() {
        return transcript;
    }

    WorkerSafeguards safeguards() {
        return safeguards;
    }

    long now() {
        return scheduler.now();
    }

    private void notifyPartitions(int number) {
        partitions.removeIf(SimCommandPartition::isDropped);
        for (SimCommandPartition partition : partitions) {
            if (partition.number() == number && partition.awaitsCommands()) {
                partition.onCommand();
            }
        }
    }

    private void started(SimProcess process) {
        lastSeen.put(process, scheduler.now());
        for (int partition = 0; partition < owners.size(); partition++) {
            if (owners.get(partition) == process) {
                startSession(process, partition);
            }
        }
    }

    private void stopped(SimProcess process) {
        for (SimCommandPartition partition : partitions) {
            if (partition.process() == process) {
                partition.drop();
            }
        }
    }

    /** Checks the workers as the group's coordinator, and reassigns partitions. */
    private void checkWorkers() {
        for (SimProcess process : processes) {
            if (process.isReachable()) {
                lastSeen.put(process, scheduler.now());
            }
        }
        boolean moves = faults.isActive() && processes.size() > 1 && chance.perMille(8);
        for (int partition = 0; partition < owners.size(); partition++) {
            SimProcess owner = owners.get(partition);
            boolean lost = owner == null
                    || scheduler.now() - lastSeen.getOrDefault(owner, 0L) > SESSION_TIMEOUT
                    || (moves && chance.percent(50));
            SimProcess next = lost ? pickOther(owner) : null;
            if (next != null) {
                assign(owner, next, partition);
            }
        }
        scheduler.after(CHECK_INTERVAL, this::checkWorkers);
    }

    private @Nullable SimProcess pickOther(@Nullable SimProcess than) {
        List<SimProcess> candidates = new ArrayList<>();
        for (SimProcess process : processes) {
            if (process != than && process.isReachable()) {
                candidates.add(process);
            }
        }
        return candidates.isEmpty() ? null : chance.pick(candidates);
    }

    private void assign(@Nullable SimProcess from, SimProcess to, int partition) {
        transcript.append("group " + site.id(), () -> "partition " + partition + " goes to " + to.name());
        owners.set(partition, to);
        if (from != null && chance.percent(50)) {
            from.later(chance.between(0, 500), () -> revoke(from, partition));
        }
        to.later(chance.between(50, 1500), () -> onAssigned(to, partition));
    }

    /**
     * A worker gets a partition. One that had lost it unnoticed learns that first. If it was paused, the group may have
     * moved on: then it fences the new owner.
     */
    private void onAssigned(SimProcess process, int number) {
        SimCommandPartition known = partition(process, number);
        if (known != null) {
            known.drop();
        }
        openSession(process, number);
    }

    /** Tells a worker that the group has given its partition to another one. */
    private void revoke(SimProcess process, int number) {
        SimCommandPartition partition = partition(process, number);
        if (partition != null && owners.get(number) != process) {
            partition.handOver();
        }
    }

    /** Opens a session again after a pause, if the partition still has none. */
    void reopenSession(SimCommandPartition partition, long pause) {
        partition.process().later(pause, () -> {
            if (!partition.isDropped() && !partition.isLeaving() && !partition.isSessionOpen()) {
                startSession(partition.process(), partition.number());
            }
        });
    }

    /** Opens a session if the process still owns the partition; otherwise it learns that now. */
    private void startSession(SimProcess process, int number) {
        SimCommandPartition known = partition(process, number);
        if (owners.get(number) == process && (known == null || !known.isLeaving())) {
            openSession(process, number);
        } else if (known != null) {
            known.drop();
        }
    }

    private void openSession(SimProcess process, int number) {
        if (process.cannotRead() || process.cannotWrite()) {
            process.later(CHECK_INTERVAL, () -> startSession(process, number));
            return;
        }
        SimCommandPartition partition = partition(process, number);
        if (partition == null) {
            partition = new SimCommandPartition(this, process, number);
            partitions.add(partition);
        }
        partition.openSession();
    }

    private @Nullable SimCommandPartition partition(SimProcess process, int number) {
        for (SimCommandPartition partition : partitions) {
            if (partition.process() == process && partition.number() == number && !partition.isDropped()) {
                return partition;
            }
        }
        return null;
    }
}
