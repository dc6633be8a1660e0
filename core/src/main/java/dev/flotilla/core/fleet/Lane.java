package dev.flotilla.core.fleet;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Clusters of one site in which a rollout may start a machine, the one to go first in front. Those whose start takes more
 * out of the failure budget are in a lane of their own, so that they hold up nobody who needs less.
 */
final class Lane {
    final Site site;
    final int need;
    private final List<Share> heap = new ArrayList<>();

    /** The number of the search in which this lane was found closed. */
    long closedIn;

    Lane(Site site, int need) {
        this.site = site;
        this.need = need;
    }

    @Nullable
    Share first() {
        return heap.isEmpty() ? null : heap.get(0);
    }

    void put(Share share) {
        if (share.place < 0) {
            share.place = heap.size();
            share.lane = this;
            heap.add(share);
        }
        if (!up(share)) {
            down(share);
        }
    }

    void remove(Share share) {
        Share last = heap.remove(heap.size() - 1);
        if (last != share) {
            place(share.place, last);
            if (!up(last)) {
                down(last);
            }
        }
        share.place = -1;
        share.lane = null;
    }

    private boolean up(Share share) {
        int from = share.place;
        while (share.place > 0 && share.before(heap.get((share.place - 1) >>> 1))) {
            int parent = (share.place - 1) >>> 1;
            place(share.place, heap.get(parent));
            place(parent, share);
        }
        return share.place != from;
    }

    private void down(Share share) {
        while (2 * share.place + 1 < heap.size()) {
            int child = 2 * share.place + 1;
            if (child + 1 < heap.size() && heap.get(child + 1).before(heap.get(child))) {
                child++;
            }
            if (!heap.get(child).before(share)) {
                return;
            }
            int place = share.place;
            place(place, heap.get(child));
            place(child, share);
        }
    }

    private void place(int place, Share share) {
        heap.set(place, share);
        share.place = place;
    }
}
