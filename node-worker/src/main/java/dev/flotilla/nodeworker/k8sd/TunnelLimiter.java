package dev.flotilla.nodeworker.k8sd;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * Limits the open tunnels of a worker, because each uses memory here and in two servers on its way. Above the limit the
 * least recently used idle tunnel is closed. Belongs to one context.
 */
public final class TunnelLimiter {
    private final int most;
    private final LinkedHashSet<LimitedTunnel> open = new LinkedHashSet<>();
    private volatile int size;

    TunnelLimiter(int most) {
        this.most = most;
    }

    /** A tunnel under the limit. */
    interface LimitedTunnel {
        /** Whether no response is awaited through it. */
        boolean isIdle();

        /** Closes it to make room; it is opened again when it is needed. */
        void closeTunnel();
    }

    /** Returns whether a tunnel may be used now. */
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

    /** Removes a tunnel that was closed. */
    void removeTunnel(LimitedTunnel limitedTunnel) {
        open.remove(limitedTunnel);
        size = open.size();
    }

    /** Returns how many tunnels are open. */
    public int size() {
        return size;
    }

    /** Returns the message if no further tunnel may be opened. */
    String limitMessage() {
        return "all " + most + " tunnels (kubernetes.tunnels) are in use";
    }
}
