package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The NodeUpgrades of a node, as the management cluster keeps them, and the controller that fulfils them: it fails in a way
 * that may pass or for good, goes silent, restarts, says Succeeded although nothing has changed, and its objects disappear. Asked
 * to abort, it finishes the step that runs.
 */
public final class SimNodeUpgrades {
    /** The percentage of failures that are not retryable. */
    private static final int PERMANENT_PERCENT = 35;

    private static final long SHORTEST_STEP = 500;
    private static final long LONGEST_STEP = 90_000;
    private static final long SHORTEST_SILENCE = 20_000;
    private static final long LONGEST_SILENCE = 6 * 60_000;

    private final SimNode node;
    private final VirtualClockScheduler scheduler;
    private final NodeCallLedger ledger;
    private final SeededRandom chance;
    private final Map<String, Long> attempts = new LinkedHashMap<>();
    private final Set<String> permanentIfFailed = new LinkedHashSet<>();
    private final Set<String> aborting = new LinkedHashSet<>();
    private final SimPreparations preparations;
    private long silentUntil;

    SimNodeUpgrades(SimNode node, VirtualClockScheduler scheduler, NodeCallLedger ledger, SeededRandom chance) {
        this.node = node;
        this.scheduler = scheduler;
        this.ledger = ledger;
        this.chance = chance;
        this.preparations = new SimPreparations(scheduler, chance.split("preparations"));
    }

    /** Creates the object of a preparation, which calls nothing. */
    public RefreshCallResult prepare(String name) {
        return preparations.create(name) ? new RefreshCallResult.ChangeStarted(name) : new RefreshCallResult.NoAnswer();
    }

    /** Creates the object of an attempt, which is the call. The API server rejects a second one of the same name. */
    public RefreshCallResult create(
            MachineKey machine, String name, UpgradeTarget target, long attempt, String caller) {
        boolean exists = attempts.containsKey(name);
        boolean busy = !exists && node.isRefreshing();
        boolean lost = !exists && !busy && node.drawFault(node.faultProfile().loses());
        ledger.add(new NodeCallLedger.NodeCall(
                machine, scheduler.now(), busy ? "" : name, !exists && !busy, exists || busy, !lost, attempt, caller));
        if (busy) {
            return new RefreshCallResult.NodeBusy();
        }
        if (!exists) {
            attempts.put(name, attempt);
            if (chance.percent(PERMANENT_PERCENT)) {
                permanentIfFailed.add(name);
            }
            if (node.drawFault(node.faultProfile().reboots())) {
                scheduler.after(chance.between(SHORTEST_SILENCE, LONGEST_SILENCE), this::restart);
            }
            node.startNodeUpgrade(name, attempt, target);
        }
        return lost ? new RefreshCallResult.NoAnswer() : new RefreshCallResult.ChangeStarted(name);
    }

    /** Asks the controller to abort: it stops before its next step, if there is one. */
    public void abort(String name) {
        if (attempts.containsKey(name) && aborting.add(name)) {
            scheduler.after(chance.between(SHORTEST_STEP, LONGEST_STEP), () -> node.abortNodeUpgrade(name));
        }
    }

    /** The controller restarts: for a while nobody writes a heartbeat. */
    private void restart() {
        silentUntil = scheduler.now() + chance.between(SHORTEST_SILENCE, LONGEST_SILENCE);
    }

    /** The state of an object; null while its controller is silent. */
    public @Nullable NodeUpgradePhase phase(String name) {
        if (scheduler.now() < silentUntil) {
            return null;
        }
        if (preparations.contains(name)) {
            return preparations.phase(name);
        }
        return switch (node.changeStatus(name)) {
            case "" -> NodeUpgradePhase.GONE;
            case "Done" -> NodeUpgradePhase.SUCCEEDED;
            case "Aborted" -> NodeUpgradePhase.ABORTED;
            case "Error", "Undone", "Hold" ->
                permanentIfFailed.contains(name) ? NodeUpgradePhase.FAILED_FOR_GOOD : NodeUpgradePhase.FAILED;
            // A step hangs: its controller writes no heartbeat any more.
            case "Wait" -> null;
            default -> NodeUpgradePhase.RUNNING;
        };
    }

    /** Whether the object of an attempt works on the node, or hangs. */
    public boolean isRunning(long attempt) {
        return attempts.entrySet().stream()
                .anyMatch(object -> object.getValue() == attempt && isOpen(node.changeStatus(object.getKey())));
    }

    private static boolean isOpen(String status) {
        return status.equals("Doing") || status.equals("Undoing") || status.equals("Wait");
    }

    /** Whether the object of an attempt has failed for good. */
    public boolean hasFailedForGood(long attempt) {
        return attempts.entrySet().stream()
                .anyMatch(object -> object.getValue() == attempt
                        && permanentIfFailed.contains(object.getKey())
                        && isFailed(node.changeStatus(object.getKey())));
    }

    private static boolean isFailed(String status) {
        return status.equals("Error") || status.equals("Undone") || status.equals("Hold");
    }

    /** What the status of a NodeUpgrade says. */
    public enum NodeUpgradePhase {
        RUNNING,
        SUCCEEDED,
        /** {@code Failed} with {@code retryable: true}. */
        FAILED,
        /** {@code Failed} with {@code retryable: false}. */
        FAILED_FOR_GOOD,
        ABORTED,
        /** The object does not exist. */
        GONE
    }
}
