package dev.flotilla.simulator.embedded;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What kubelets send though nothing happened: a lease every ten seconds, a status every five minutes, spread evenly. Where
 * their seconds go by faster than all of them can be heard, those are heard as often as they should be that became different
 * lately: somebody may wait for them.
 */
final class Heartbeats {
    private static final int LEASE_SECONDS = 10;
    private static final int STATUS_SECONDS = 300;
    private static final int LATELY_SECONDS = 120;

    private final List<EmbeddedNode> nodes;
    private final ObjectKeeper keeper;
    private final Map<EmbeddedNode, Long> lately = new LinkedHashMap<>();
    private final double seconds;
    private long beats;

    /**
     * Heartbeats of these.
     *
     * @param seconds of the nodes' time that go by between two beats, one or more
     */
    Heartbeats(List<EmbeddedNode> nodes, ObjectKeeper keeper, double seconds) {
        this.nodes = nodes;
        this.keeper = keeper;
        this.seconds = seconds;
        if (seconds > 1) {
            nodes.forEach(node -> node.node().watch(() -> lately.put(node, beats)));
        }
    }

    /** As many seconds went by as do between two beats. */
    void beat() {
        beats++;
        for (int i = (int) (beats % LEASE_SECONDS); i < nodes.size(); i += LEASE_SECONDS) {
            keeper.renew(nodes.get(i));
        }
        for (int i = (int) (beats % STATUS_SECONDS); i < nodes.size(); i += STATUS_SECONDS) {
            keeper.post(nodes.get(i));
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
                keeper.renew(node.getKey());
            }
        }
    }
}
