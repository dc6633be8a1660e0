package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import java.util.ArrayDeque;

/**
 * Limits how many attempts are between their first inspection and their call at a time. If thousands began at once,
 * each would wait for the API servers longer than its command lease lasts, and none would ever call. Others queue; a
 * slow one, such as a drain, loses its slot after a while. For the loop's thread.
 */
final class UpgradeStartLimiter {
    static final int MAX_SLOTS = 64;
    private static final long MAX_HOLD_MILLIS = 5_000;

    private final LoopTaskQueue loopTaskQueue;
    private final ArrayDeque<StartSlot> queue = new ArrayDeque<>();
    private int held;

    UpgradeStartLimiter(LoopTaskQueue loopTaskQueue) {
        this.loopTaskQueue = loopTaskQueue;
    }

    /** Creates the slot of an attempt, which it does not hold yet. */
    StartSlot newSlot() {
        return new StartSlot();
    }

    /**
     * Whether an attempt needs its slot for an action: whether the action leads to the call. Writing the call permit is
     * such an action.
     */
    static boolean needsSlot(UpgradeAction upgradeAction) {
        return switch (upgradeAction) {
            case UpgradeAction.InspectNode inspectNode -> true;
            case UpgradeAction.ConnectToProvider connectToProvider -> true;
            case UpgradeAction.RunChecks runChecks -> true;
            case UpgradeAction.SetGuards setGuards -> true;
            case UpgradeAction.CheckPreconditions checkPreconditions -> true;
            case UpgradeAction.CallUpgrade callUpgrade -> true;
            case UpgradeAction.WriteReport writeReport ->
                writeReport.report() instanceof AttemptReport.StepReached step && step.step() == AttemptStep.STARTING;
            case UpgradeAction.PollChange pollChange -> false;
            case UpgradeAction.AbortChange abortChange -> false;
            case UpgradeAction.Wait wait -> false;
            case UpgradeAction.CleanUp cleanUp -> false;
        };
    }

    /** Whether an attempt holds its slot. */
    private enum SlotState {
        OUTSIDE,
        IN_LINE,
        INSIDE,
        /** It held the slot for too long, so another attempt may start; it continues. */
        OVERDUE
    }

    /** The slot of one attempt. */
    final class StartSlot {
        private SlotState state = SlotState.OUTSIDE;
        private Runnable waitingStep = () -> {};
        private int generation;

        /** Runs a step that leads to the call: at once, or when the attempt gets its slot. */
        void runWithSlot(Runnable step) {
            switch (state) {
                case INSIDE, OVERDUE -> step.run();
                case IN_LINE -> waitingStep = step;
                case OUTSIDE -> {
                    waitingStep = step;
                    state = SlotState.IN_LINE;
                    queue.add(this);
                    grantSlots();
                }
            }
        }

        /** Releases the slot because the attempt has called, waits, or is over. */
        void releaseSlot() {
            SlotState previous = state;
            state = SlotState.OUTSIDE;
            generation++;
            if (previous == SlotState.IN_LINE) {
                queue.remove(this);
            } else if (previous == SlotState.INSIDE) {
                freeSlot();
            }
        }

        private void grant() {
            state = SlotState.INSIDE;
            held++;
            int heldGeneration = generation;
            loopTaskQueue.schedule(MAX_HOLD_MILLIS, () -> {
                if (state == SlotState.INSIDE && generation == heldGeneration) {
                    state = SlotState.OVERDUE;
                    freeSlot();
                }
            });
            waitingStep.run();
        }
    }

    private void freeSlot() {
        held--;
        grantSlots();
    }

    private void grantSlots() {
        while (held < MAX_SLOTS && !queue.isEmpty()) {
            queue.remove().grant();
        }
    }
}
