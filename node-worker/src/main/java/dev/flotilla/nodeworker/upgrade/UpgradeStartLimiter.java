package dev.flotilla.nodeworker.upgrade;

import java.util.ArrayDeque;

/**
 * So many attempts at a time are on their way from the first look to the call. Of thousands that begin at once, each would
 * wait for the API servers longer than a licence lasts, and none would ever call. Others wait in line; who takes long, as a
 * drain does, holds nobody up. For the loop's thread.
 */
final class UpgradeStartLimiter {
    static final int AT_ONCE = 64;
    private static final long LONGEST = 5_000;

    private final LoopTaskQueue loopTaskQueue;
    private final ArrayDeque<StartSlot> line = new ArrayDeque<>();
    private int taken;

    UpgradeStartLimiter(LoopTaskQueue loopTaskQueue) {
        this.loopTaskQueue = loopTaskQueue;
    }

    /** An attempt's place, which it does not have yet. */
    StartSlot newSlot() {
        return new StartSlot();
    }

    /** Whether an attempt has a place. */
    private enum Standing {
        OUTSIDE,
        IN_LINE,
        INSIDE,
        /** On its way for so long that another has its place; it goes on. */
        OVERDUE
    }

    /** One attempt's. */
    final class StartSlot {
        private Standing standing = Standing.OUTSIDE;
        private Runnable waits = () -> {};
        private int turn;

        /** Does something on the way to the call: at once, or when there is a place. */
        void runWithSlot(Runnable step) {
            switch (standing) {
                case INSIDE, OVERDUE -> step.run();
                case IN_LINE -> waits = step;
                case OUTSIDE -> {
                    waits = step;
                    standing = Standing.IN_LINE;
                    line.add(this);
                    letIn();
                }
            }
        }

        /** It has called, or waits for something, or is over. */
        void releaseSlot() {
            Standing was = standing;
            standing = Standing.OUTSIDE;
            turn++;
            if (was == Standing.IN_LINE) {
                line.remove(this);
            } else if (was == Standing.INSIDE) {
                giveBack();
            }
        }

        private void enter() {
            standing = Standing.INSIDE;
            taken++;
            int mine = turn;
            loopTaskQueue.schedule(LONGEST, () -> {
                if (standing == Standing.INSIDE && turn == mine) {
                    standing = Standing.OVERDUE;
                    giveBack();
                }
            });
            waits.run();
        }
    }

    private void giveBack() {
        taken--;
        letIn();
    }

    private void letIn() {
        while (taken < AT_ONCE && !line.isEmpty()) {
            line.remove().enter();
        }
    }
}
