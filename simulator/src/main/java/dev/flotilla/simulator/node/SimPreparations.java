package dev.flotilla.simulator.node;

import dev.flotilla.simulator.node.SimNodeUpgrades.NodeUpgradePhase;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The NodeUpgrades of a node that only prepare. They fail in a way that may pass or for good, hang, and disappear, and nothing
 * on the node changes by them.
 */
final class SimPreparations {
    private static final int SUCCESS_PERCENT = 65;
    private static final int LOST_ANSWER_PERCENT = 10;
    private static final long SHORTEST = 5_000;
    private static final long LONGEST = 12 * 60_000;

    private final VirtualClockScheduler scheduler;
    private final SeededRandom chance;
    private final Map<String, Preparation> preparations = new LinkedHashMap<>();

    /**
     * An object and how it will end.
     *
     * @param end null if its controller hangs
     */
    private record Preparation(long endsAt, @Nullable NodeUpgradePhase end) {}

    SimPreparations(VirtualClockScheduler scheduler, SeededRandom chance) {
        this.scheduler = scheduler;
        this.chance = chance;
    }

    /** Creates an object; one that exists stays as it is. Returns whether the answer arrives. */
    boolean create(String name) {
        preparations.computeIfAbsent(
                name, absent -> new Preparation(scheduler.now() + chance.between(SHORTEST, LONGEST), drawEnd()));
        return !chance.percent(LOST_ANSWER_PERCENT);
    }

    private @Nullable NodeUpgradePhase drawEnd() {
        if (chance.percent(SUCCESS_PERCENT)) {
            return NodeUpgradePhase.SUCCEEDED;
        }
        return switch (chance.between(0, 3)) {
            case 0 -> NodeUpgradePhase.FAILED;
            case 1 -> NodeUpgradePhase.FAILED_FOR_GOOD;
            case 2 -> NodeUpgradePhase.GONE;
            default -> null;
        };
    }

    boolean contains(String name) {
        return preparations.containsKey(name);
    }

    /** The state of an object; null while its controller is silent. */
    @Nullable
    NodeUpgradePhase phase(String name) {
        Preparation preparation = preparations.get(name);
        if (preparation == null) {
            return NodeUpgradePhase.GONE;
        }
        return scheduler.now() < preparation.endsAt() ? NodeUpgradePhase.RUNNING : preparation.end();
    }
}
