package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
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
    private final List<SimPartitionSession> sessions = new ArrayList<>();

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
        this.safeguards = habits;
        this.processes = List.copyOf(processes);
        for (int i = 0; i < Table.COMMANDS.partitions(); i++) {
            int partition = i;
            owners.add(null);
            log.addListener(new TablePartition(Table.COMMANDS, site.id(), i), () -> notifySessions(partition));
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

    private void notifySessions(int partition) {
        sessions.removeIf(SimPartitionSession::isEnded);
        for (SimPartitionSession session : sessions) {
            if (session.partition() == partition) {
                session.onCommand();
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
        for (SimPartitionSession session : sessions) {
            if (session.process() == process) {
                session.end();
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
            from.later(chance.between(0, 500), () -> endSession(from, partition));
        }
        to.later(chance.between(50, 1500), () -> startSession(to, partition));
    }

    private void endSession(SimProcess process, int partition) {
        for (SimPartitionSession session : sessions) {
            if (session.process() == process && session.partition() == partition && owners.get(partition) != process) {
                session.end();
            }
        }
    }

    /**
     * Starts a new session for a partition whose owner does not know the outcome of its last commit; {@code lastReports} are
     * the reports that it has committed.
     */
    void restartSession(SimProcess process, int partition, Map<MachineKey, AttemptProgress> lastReports) {
        process.later(500, () -> startSession(process, partition, lastReports));
    }

    private void startSession(SimProcess process, int partition) {
        startSession(process, partition, Map.of());
    }

    private void startSession(SimProcess process, int partition, Map<MachineKey, AttemptProgress> lastReports) {
        if (owners.get(partition) != process) {
            return;
        }
        if (process.cannotRead() || process.cannotWrite()) {
            process.later(CHECK_INTERVAL, () -> startSession(process, partition, lastReports));
            return;
        }
        for (SimPartitionSession session : sessions) {
            if (session.process() == process && session.partition() == partition) {
                session.end();
            }
        }
        SimPartitionSession session = new SimPartitionSession(this, process, partition);
        sessions.add(session);
        if (process.continuesAfter("before it reads its partition")) {
            session.restore(lastReports);
        }
    }
}
