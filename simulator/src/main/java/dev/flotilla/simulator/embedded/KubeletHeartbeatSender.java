package dev.flotilla.simulator.embedded;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What kubelets send though nothing happened: a lease every ten seconds, a status every five minutes, spread evenly. Where
 * their seconds go by faster than real ones, those are heard as often as they should be that became different lately, since
 * somebody may wait for them, and the others twice as often as real ones are: whoever looks how old their words are has a real clock.
 */
final class KubeletHeartbeatSender {
    private static final int LEASE_SECONDS = 10;
    private static final int STATUS_SECONDS = 300;
    private static final int LATELY_SECONDS = 120;
    private static final double SECOND = 1000;
    private static final long REAL_LEASE_MILLIS = 5_000;
    private static final long REAL_STATUS_MILLIS = 150_000;

    private final List<EmbeddedNode> nodes;
    private final NodeObjectUpdater keeper;
    private final Map<EmbeddedNode, Long> lately = new LinkedHashMap<>();
    private final double seconds;
    private final int leaseBeats;
    private final int statusBeats;
    private long beats;

    /**
     * Heartbeats of these.
     *
     * @param beat how long is between two beats, in milliseconds
     * @param speed seconds of the nodes' time in a real one
     */
    KubeletHeartbeatSender(List<EmbeddedNode> nodes, NodeObjectUpdater keeper, long beat, double speed) {
        this.nodes = nodes;
        this.keeper = keeper;
        this.seconds = beat * speed / SECOND;
        this.leaseBeats = beats(LEASE_SECONDS, REAL_LEASE_MILLIS, beat);
        this.statusBeats = beats(STATUS_SECONDS, REAL_STATUS_MILLIS, beat);
        if (speed > 1) {
            nodes.forEach(node -> node.node().watch(() -> lately.put(node, beats)));
        }
    }

    /** From one word of a node to the next: so many of its seconds, or of real ones where those go by too fast. */
    private int beats(int ofNode, long realMillis, long beat) {
        return (int) Math.max(1, Math.max(ofNode / seconds, realMillis / (double) beat));
    }

    /** As many seconds went by as do between two beats. */
    void sendHeartbeats() {
        beats++;
        for (int i = (int) (beats % leaseBeats); i < nodes.size(); i += leaseBeats) {
            keeper.renewLease(nodes.get(i));
        }
        for (int i = (int) (beats % statusBeats); i < nodes.size(); i += statusBeats) {
            keeper.postNodeStatus(nodes.get(i));
        }
        if (beats % Math.max(1, Math.round(LEASE_SECONDS / seconds)) == 0) {
            renewLately();
        }
    }

    private void renewLately() {
        Iterator<Map.Entry<EmbeddedNode, Long>> each = lately.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<EmbeddedNode, Long> node = each.next();
            if ((beats - node.getValue()) * seconds > LATELY_SECONDS) {
                each.remove();
            } else {
                keeper.renewLease(node.getKey());
            }
        }
    }
}
