package dev.flotilla.nodeworker.site;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * The tunnels of a worker that are open: so many and no more, since each costs memory here and in two servers on its way. Where
 * one more is wanted, the one that was asked least lately is closed, unless it is being asked. Belongs to one context.
 */
final class TunnelLimiter {
    private final int most;
    private final LinkedHashSet<LimitedTunnel> open = new LinkedHashSet<>();
    private volatile int size;

    TunnelLimiter(int most) {
        this.most = most;
    }

    /** One of them. */
    interface LimitedTunnel {
        /** Whether nobody waits for an answer through it. */
        boolean isIdle();

        /** Closes it for others; it is opened again when it is needed. */
        void closeTunnel();
    }

    /** One is about to be used. Whether it may. */
    boolean openTunnel(LimitedTunnel limitedTunnel) {
        boolean may = open.remove(limitedTunnel) || open.size() < most || madeRoom();
        if (may) {
            open.add(limitedTunnel);
        }
        size = open.size();
        return may;
    }

    private boolean madeRoom() {
        Iterator<LimitedTunnel> eldest = open.iterator();
        while (eldest.hasNext()) {
            LimitedTunnel limitedTunnel = eldest.next();
            if (limitedTunnel.isIdle()) {
                eldest.remove();
                limitedTunnel.closeTunnel();
                return true;
            }
        }
        return false;
    }

    /** One is not open any more. */
    void removeTunnel(LimitedTunnel limitedTunnel) {
        open.remove(limitedTunnel);
        size = open.size();
    }

    /** How many are open; for whoever asks. */
    int size() {
        return size;
    }

    /** What is told where one more may not be opened. */
    String limitMessage() {
        return "all " + most + " tunnels (kubernetes.tunnels) are in use";
    }
}
