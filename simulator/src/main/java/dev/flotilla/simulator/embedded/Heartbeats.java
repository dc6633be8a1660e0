package dev.flotilla.simulator.embedded;

import java.util.List;

/** What kubelets send though nothing happened: a lease every ten seconds, a status every five minutes, spread evenly. */
final class Heartbeats {
    private static final int LEASE_SECONDS = 10;
    private static final int STATUS_SECONDS = 300;

    private final List<EmbeddedNode> nodes;
    private final ObjectKeeper keeper;
    private int second;

    Heartbeats(List<EmbeddedNode> nodes, ObjectKeeper keeper) {
        this.nodes = nodes;
        this.keeper = keeper;
    }

    /** A second went by. */
    void beat() {
        second = (second + 1) % STATUS_SECONDS;
        for (int i = second % LEASE_SECONDS; i < nodes.size(); i += LEASE_SECONDS) {
            keeper.renew(nodes.get(i));
        }
        for (int i = second; i < nodes.size(); i += STATUS_SECONDS) {
            keeper.post(nodes.get(i));
        }
    }
}
