package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.topic.Table;
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
 * The workers of a site and the group that shares the partitions of its commands among them. The group only hints:
 * whoever it forgot to tell goes on until the log fences it.
 */
public final class SimSiteWorkers {
    private static final long SESSION = 8000;
    private static final long LOOK = 2000;

    private final SimSite site;
    private final SimKafkaLog log;
    private final VirtualClockScheduler scheduler;
    private final FaultRateSchedule faults;
    private final Transcript transcript;
    private final SeededRandom chance;
    private final WorkerSafeguards habits;
    private final List<SimProcess> processes;
    private final Map<SimProcess, Long> lastSeen = new LinkedHashMap<>();
    private final List<@Nullable SimProcess> owners = new ArrayList<>();
    private final List<SimPartitionSession> drivers = new ArrayList<>();

    public SimSiteWorkers(
            SimSite site,
            SimKafkaLog log,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            WorkerSafeguards habits,
            List<SimProcess> processes) {
        this.site = site;
        this.log = log;
        this.scheduler = scheduler;
        this.faults = faults;
        this.transcript = transcript;
        this.chance = chance;
        this.habits = habits;
        this.processes = List.copyOf(processes);
        for (int i = 0; i < Table.COMMANDS.partitions(); i++) {
            int partition = i;
            owners.add(null);
            log.addListener(new TablePartition(Table.COMMANDS, site.id(), i), () -> wake(partition));
        }
        for (SimProcess process : processes) {
            process.onStartAndCrash(() -> started(process), () -> stopped(process));
        }
    }

    public void start() {
        for (SimProcess process : processes) {
            process.start();
        }
        look();
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

    Transcript story() {
        return transcript;
    }

    WorkerSafeguards habits() {
        return habits;
    }

    long now() {
        return scheduler.now();
    }

    private void wake(int partition) {
        drivers.removeIf(SimPartitionSession::isEnded);
        for (SimPartitionSession driver : drivers) {
            if (driver.partition() == partition) {
                driver.onCommand();
            }
        }
    }

    private void started(SimProcess process) {
        lastSeen.put(process, scheduler.now());
        for (int partition = 0; partition < owners.size(); partition++) {
            if (owners.get(partition) == process) {
                own(process, partition);
            }
        }
    }

    private void stopped(SimProcess process) {
        for (SimPartitionSession driver : drivers) {
            if (driver.process() == process) {
                driver.end();
            }
        }
    }

    /** What the group's coordinator sees, and makes of it. */
    private void look() {
        for (SimProcess process : processes) {
            if (process.isReachable()) {
                lastSeen.put(process, scheduler.now());
            }
        }
        boolean moves = faults.isActive() && processes.size() > 1 && chance.perMille(8);
        for (int partition = 0; partition < owners.size(); partition++) {
            SimProcess owner = owners.get(partition);
            boolean lost = owner == null
                    || scheduler.now() - lastSeen.getOrDefault(owner, 0L) > SESSION
                    || (moves && chance.percent(50));
            SimProcess next = lost ? another(owner) : null;
            if (next != null) {
                assign(owner, next, partition);
            }
        }
        scheduler.after(LOOK, this::look);
    }

    private @Nullable SimProcess another(@Nullable SimProcess than) {
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
            from.later(chance.between(0, 500), () -> lose(from, partition));
        }
        to.later(chance.between(50, 1500), () -> own(to, partition));
    }

    private void lose(SimProcess process, int partition) {
        for (SimPartitionSession driver : drivers) {
            if (driver.process() == process && driver.partition() == partition && owners.get(partition) != process) {
                driver.end();
            }
        }
    }

    /** A new session for a partition whose owner cannot tell what came of its last commit, and knows what it has said before. */
    void beginAgain(SimProcess process, int partition, Map<MachineKey, AttemptProgress> told) {
        process.later(500, () -> own(process, partition, told));
    }

    private void own(SimProcess process, int partition) {
        own(process, partition, Map.of());
    }

    private void own(SimProcess process, int partition, Map<MachineKey, AttemptProgress> told) {
        if (owners.get(partition) != process) {
            return;
        }
        if (process.cannotRead() || process.cannotWrite()) {
            process.later(LOOK, () -> own(process, partition, told));
            return;
        }
        for (SimPartitionSession driver : drivers) {
            if (driver.process() == process && driver.partition() == partition) {
                driver.end();
            }
        }
        SimPartitionSession driver = new SimPartitionSession(this, process, partition);
        drivers.add(driver);
        if (process.continuesAfter("before it reads its partition")) {
            driver.restore(told);
        }
    }
}
