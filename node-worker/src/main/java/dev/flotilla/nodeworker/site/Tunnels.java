package dev.flotilla.nodeworker.site;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * The tunnels of a worker that are open: so many and no more, since each costs memory here and in two servers on its way. Where
 * one more is wanted, the one that was asked least lately is closed, unless it is being asked. Belongs to one context.
 */
final class Tunnels {
    private final int most;
    private final LinkedHashSet<Tunnel> open = new LinkedHashSet<>();
    private volatile int size;

    Tunnels(int most) {
        this.most = most;
    }

    /** One of them. */
    interface Tunnel {
        /** Whether nobody waits for an answer through it. */
        boolean isIdle();

        /** Closes it for others; it is opened again when it is needed. */
        void hangUp();
    }

    /** One is about to be used. Whether it may. */
    boolean enter(Tunnel tunnel) {
        boolean may = open.remove(tunnel) || open.size() < most || madeRoom();
        if (may) {
            open.add(tunnel);
        }
        size = open.size();
        return may;
    }

    private boolean madeRoom() {
        Iterator<Tunnel> eldest = open.iterator();
        while (eldest.hasNext()) {
            Tunnel tunnel = eldest.next();
            if (tunnel.isIdle()) {
                eldest.remove();
                tunnel.hangUp();
                return true;
            }
        }
        return false;
    }

    /** One is not open any more. */
    void leave(Tunnel tunnel) {
        open.remove(tunnel);
        size = open.size();
    }

    /** How many are open; for whoever asks. */
    int size() {
        return size;
    }

    /** What is told where one more may not be opened. */
    String full() {
        return "all " + most + " tunnels (kubernetes.tunnels) are in use";
    }
}
