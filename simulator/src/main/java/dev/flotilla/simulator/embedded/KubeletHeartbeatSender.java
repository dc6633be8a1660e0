package dev.flotilla.simulator.embedded;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends what kubelets send regularly: a lease every ten seconds and a status every five minutes, spread evenly. If
 * simulated time is faster than real time, nodes that changed lately send at the rate of their own time, because a test
 * may wait for them. All others send twice as often as real nodes do, because the recipient judges their age by a real
 * clock.
 */
final class KubeletHeartbeatSender {
    private static final int LEASE_SECONDS = 10;
    private static final int STATUS_SECONDS = 300;
    private static final int LATELY_SECONDS = 120;
    private static final double SECOND = 1000;
    private static final long REAL_LEASE_MILLIS = 5_000;
    private static final long REAL_STATUS_MILLIS = 150_000;

    private final List<EmbeddedNode> nodes;
    private final NodeObjectUpdater nodeObjectUpdater;
    private final Map<EmbeddedNode, Long> lastChangeTicks = new LinkedHashMap<>();
    private final double seconds;
    private final int leaseBeats;
    private final int statusBeats;
    private long ticksBetween;

    /**
     * Sends the heartbeats of these nodes.
     *
     * @param beat the time between two ticks in milliseconds
     * @param speed how many seconds of the nodes' time pass in one real second
     */
    KubeletHeartbeatSender(List<EmbeddedNode> nodes, NodeObjectUpdater keeper, long beat, double speed) {
        this.nodes = nodes;
        this.nodeObjectUpdater = keeper;
        this.seconds = beat * speed / SECOND;
        this.leaseBeats = ticksBetween(LEASE_SECONDS, REAL_LEASE_MILLIS, beat);
        this.statusBeats = ticksBetween(STATUS_SECONDS, REAL_STATUS_MILLIS, beat);
        if (speed > 1) {
            nodes.forEach(node -> node.node().watch(() -> lastChangeTicks.put(node, ticksBetween)));
        }
    }

    /** The number of ticks between two heartbeats of a node: a number of its own seconds, but at least a real time. */
    private int ticksBetween(int ofNode, long realMillis, long beat) {
        return (int) Math.max(1, Math.max(ofNode / seconds, realMillis / (double) beat));
    }

    /** Runs one tick: sends the heartbeats that are due. */
    void sendHeartbeats() {
        ticksBetween++;
        for (int i = (int) (ticksBetween % leaseBeats); i < nodes.size(); i += leaseBeats) {
            nodeObjectUpdater.renewLease(nodes.get(i));
        }
        for (int i = (int) (ticksBetween % statusBeats); i < nodes.size(); i += statusBeats) {
            nodeObjectUpdater.postNodeStatus(nodes.get(i));
        }
        if (ticksBetween % Math.max(1, Math.round(LEASE_SECONDS / seconds)) == 0) {
            renewChangedNodes();
        }
    }

    private void renewChangedNodes() {
        Iterator<Map.Entry<EmbeddedNode, Long>> entries =
                lastChangeTicks.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<EmbeddedNode, Long> node = entries.next();
            if ((ticksBetween - node.getValue()) * seconds > LATELY_SECONDS) {
                entries.remove();
            } else {
                nodeObjectUpdater.renewLease(node.getKey());
            }
        }
    }
}
