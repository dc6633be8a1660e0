package dev.flotilla.simulator.leader;

import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The owner of the leader topic's partition. It is only a hint: an owner that was silent for a session timeout loses
 * the partition and may learn that late or never. Fencing makes two owners safe.
 */
final class SimLeaderElection {
    private static final long SESSION_TIMEOUT = 6000;
    private static final long CHECK_INTERVAL = 1000;

    private final VirtualClockScheduler scheduler;
    private final FaultRateSchedule faults;
    private final Transcript transcript;
    private final SeededRandom chance;
    private final List<SimOrchestrator> members = new ArrayList<>();
    private final Map<SimOrchestrator, Long> lastSeen = new LinkedHashMap<>();
    private @Nullable SimOrchestrator owner;

    SimLeaderElection(
            VirtualClockScheduler scheduler, FaultRateSchedule faults, Transcript transcript, SeededRandom chance) {
        this.scheduler = scheduler;
        this.faults = faults;
        this.transcript = transcript;
        this.chance = chance;
    }

    void addCandidate(SimOrchestrator member) {
        members.add(member);
    }

    void start() {
        checkMembers();
    }

    private void checkMembers() {
        for (SimOrchestrator member : members) {
            if (member.process().isReachable() && member.isCaughtUp()) {
                lastSeen.put(member, scheduler.now());
            }
        }
        SimOrchestrator before = owner;
        boolean reassigns = faults.isActive() && chance.perMille(2);
        if (before == null || reassigns || scheduler.now() - lastSeen.getOrDefault(before, 0L) > SESSION_TIMEOUT) {
            SimOrchestrator next = pickOther(before);
            if (next != null) {
                owner = next;
                transcript.append(
                        "group leader",
                        () -> "assigns the leader partition to "
                                + next.process().name());
                if (before != null && chance.percent(50)) {
                    before.process().later(chance.between(0, 3000), () -> {
                        if (owner != before) {
                            before.stepDown("no longer owns the leader partition");
                        }
                    });
                }
                next.process().later(chance.between(10, 800), () -> {
                    if (owner == next) {
                        next.takeOver();
                    }
                });
            }
        }
        scheduler.after(CHECK_INTERVAL, this::checkMembers);
    }

    /** Called when a leader has stepped down; it is a candidate again once it has caught up. */
    void leadershipGivenUp(SimOrchestrator member) {
        if (owner == member) {
            owner = null;
            lastSeen.remove(member);
        }
    }

    private @Nullable SimOrchestrator pickOther(@Nullable SimOrchestrator than) {
        List<SimOrchestrator> candidates = new ArrayList<>();
        for (SimOrchestrator member : members) {
            if (member != than && member.process().isReachable() && member.isCaughtUp()) {
                candidates.add(member);
            }
        }
        return candidates.isEmpty() ? null : chance.pick(candidates);
    }
}
