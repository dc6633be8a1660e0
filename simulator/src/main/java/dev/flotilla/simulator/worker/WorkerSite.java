package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a site and the group that shares the partitions of its commands among them. The group only hints:
 * whoever it forgot to tell goes on until the log fences it.
 */
public final class WorkerSite {
    private static final long SESSION = 8000;
    private static final long LOOK = 2000;

    private final SimSite site;
    private final SimLog log;
    private final Scheduler scheduler;
    private final Faults faults;
    private final Story story;
    private final Chance chance;
    private final WorkerHabits habits;
    private final List<SimProcess> processes;
    private final Map<SimProcess, Long> lastSeen = new LinkedHashMap<>();
    private final List<@Nullable SimProcess> owners = new ArrayList<>();
    private final List<PartitionDriver> drivers = new ArrayList<>();

    public WorkerSite(
            SimSite site,
            SimLog log,
            Scheduler scheduler,
            Faults faults,
            Story story,
            Chance chance,
            WorkerHabits habits,
            List<SimProcess> processes) {
        this.site = site;
        this.log = log;
        this.scheduler = scheduler;
        this.faults = faults;
        this.story = story;
        this.chance = chance;
        this.habits = habits;
        this.processes = List.copyOf(processes);
        for (int i = 0; i < Table.COMMANDS.partitions(); i++) {
            int partition = i;
            owners.add(null);
            log.listen(new TablePartition(Table.COMMANDS, site.id(), i), () -> wake(partition));
        }
        for (SimProcess process : processes) {
            process.behaves(() -> started(process), () -> stopped(process));
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

    SimLog log() {
        return log;
    }

    Faults faults() {
        return faults;
    }

    Story story() {
        return story;
    }

    WorkerHabits habits() {
        return habits;
    }

    long now() {
        return scheduler.now();
    }

    private void wake(int partition) {
        drivers.removeIf(PartitionDriver::over);
        for (PartitionDriver driver : drivers) {
            if (driver.partition() == partition) {
                driver.wake();
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
        for (PartitionDriver driver : drivers) {
            if (driver.process() == process) {
                driver.end();
            }
        }
    }

    /** What the group's coordinator sees, and makes of it. */
    private void look() {
        for (SimProcess process : processes) {
            if (process.reachable()) {
                lastSeen.put(process, scheduler.now());
            }
        }
        boolean moves = faults.active() && processes.size() > 1 && chance.perMille(8);
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
            if (process != than && process.reachable()) {
                candidates.add(process);
            }
        }
        return candidates.isEmpty() ? null : chance.pick(candidates);
    }

    private void assign(@Nullable SimProcess from, SimProcess to, int partition) {
        story.tell("group " + site.id(), () -> "partition " + partition + " goes to " + to.name());
        owners.set(partition, to);
        if (from != null && chance.percent(50)) {
            from.later(chance.between(0, 500), () -> lose(from, partition));
        }
        to.later(chance.between(50, 1500), () -> own(to, partition));
    }

    private void lose(SimProcess process, int partition) {
        for (PartitionDriver driver : drivers) {
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
        for (PartitionDriver driver : drivers) {
            if (driver.process() == process && driver.partition() == partition) {
                driver.end();
            }
        }
        PartitionDriver driver = new PartitionDriver(this, process, partition);
        drivers.add(driver);
        if (process.survives("before it reads its partition")) {
            driver.restore(told);
        }
    }
}
