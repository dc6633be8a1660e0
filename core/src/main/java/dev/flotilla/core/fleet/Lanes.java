package dev.flotilla.core.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rollout's lanes, the one whose first cluster goes first in front: how many sites there are makes a search hardly
 * longer. While a search goes on, lanes that it found closed stand aside.
 */
final class Lanes {
    private final Map<Site, List<Lane>> bySite = new LinkedHashMap<>();
    private final RankedHeap<Lane> open = new RankedHeap<>();
    private final List<Lane> aside = new ArrayList<>();

    /** The lane that goes first of those that do not stand aside; null for none. */
    @Nullable
    Lane first() {
        return open.first();
    }

    /** Puts a share where it belongs now. */
    void put(Share share, int need) {
        Lane lane = share.lane;
        if (lane == null || lane.need != need) {
            leave(share);
            lane = lane(share.cluster.site(), need);
            share.lane = lane;
        }
        lane.shares.put(share);
        open.put(lane);
    }

    /** Takes a share out of its lane, if it is in one. */
    void leave(Share share) {
        Lane lane = share.lane;
        if (lane == null) {
            return;
        }
        lane.shares.remove(share);
        share.lane = null;
        if (lane.isEmpty()) {
            open.remove(lane);
        } else {
            open.put(lane);
        }
    }

    /** Lets a lane stand aside until the search is over. */
    void setAside(Lane lane) {
        open.remove(lane);
        aside.add(lane);
    }

    /** Lets all lanes of a site stand aside until the search is over. */
    void setAside(Site site) {
        for (Lane lane : bySite.getOrDefault(site, List.of())) {
            if (lane.place != Ranked.NOWHERE) {
                setAside(lane);
            }
        }
    }

    /** The search is over. */
    void recall() {
        for (int i = 0; i < aside.size(); i++) {
            open.put(aside.get(i));
        }
        aside.clear();
    }

    void clear() {
        open.clear();
        bySite.clear();
    }

    private Lane lane(Site site, int need) {
        List<Lane> lanes = bySite.computeIfAbsent(site, of -> new ArrayList<>(1));
        for (Lane lane : lanes) {
            if (lane.need == need) {
                return lane;
            }
        }
        Lane lane = new Lane(site, need);
        lanes.add(lane);
        return lane;
    }
}
