package dev.flotilla.simulator.leader;

import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the partition of the leader's topic. It is only a hint: an owner that was silent for a session loses it, may
 * learn of that late or never, and what makes two of them safe is fencing.
 */
final class LeaderHint {
    private static final long SESSION = 6000;
    private static final long LOOK = 1000;

    private final Scheduler scheduler;
    private final Faults faults;
    private final Story story;
    private final Chance chance;
    private final List<Orchestrator> members = new ArrayList<>();
    private final Map<Orchestrator, Long> lastSeen = new LinkedHashMap<>();
    private @Nullable Orchestrator owner;

    LeaderHint(Scheduler scheduler, Faults faults, Story story, Chance chance) {
        this.scheduler = scheduler;
        this.faults = faults;
        this.story = story;
        this.chance = chance;
    }

    void join(Orchestrator member) {
        members.add(member);
    }

    void begin() {
        look();
    }

    private void look() {
        for (Orchestrator member : members) {
            if (member.process().reachable() && member.caughtUp()) {
                lastSeen.put(member, scheduler.now());
            }
        }
        Orchestrator before = owner;
        boolean whim = faults.active() && chance.perMille(2);
        if (before == null || whim || scheduler.now() - lastSeen.getOrDefault(before, 0L) > SESSION) {
            Orchestrator next = another(before);
            if (next != null) {
                owner = next;
                story.tell("group leader", () -> "hints at " + next.process().name());
                if (before != null && chance.percent(50)) {
                    before.process().later(chance.between(0, 3000), () -> {
                        if (owner != before) {
                            before.stepDown("lost the hint");
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
        scheduler.after(LOOK, this::look);
    }

    /** A leader that dropped everything is a candidate like any other, once it has caught up. */
    void gaveUp(Orchestrator member) {
        if (owner == member) {
            owner = null;
            lastSeen.remove(member);
        }
    }

    private @Nullable Orchestrator another(@Nullable Orchestrator than) {
        List<Orchestrator> candidates = new ArrayList<>();
        for (Orchestrator member : members) {
            if (member != than && member.process().reachable() && member.caughtUp()) {
                candidates.add(member);
            }
        }
        return candidates.isEmpty() ? null : chance.pick(candidates);
    }
}
