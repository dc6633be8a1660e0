package dev.flotilla.core.fleet;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next machine to start. What closes the fleet, a site or a rollout is asked once for all that stand behind it,
 * so that a closed door costs the same whatever the crowd before it. Campaigns of equal priority share the slots by weight:
 * the next one goes to whoever has the fewest for its weight.
 */
final class Search {
    private final FleetState state;
    private final Rows rows;
    private final Candidate candidate;
    private boolean fruitless;
    private boolean relooked;
    private long searches;
    private Instant fruitlessAt = Instant.EPOCH;

    Search(FleetState state, Rows rows) {
        this.state = state;
        this.rows = rows;
        this.candidate = new Candidate(state, rows.inventory.machines);
    }

    /** Something has changed: what could not start may start now. */
    void reopen() {
        fruitless = false;
    }

    @Nullable
    Candidate next(Judge judge, Instant now) {
        if (fruitless && fruitlessAt.equals(now)) {
            return null;
        }
        Candidate found = search(judge, now);
        while (found == null && relooked) {
            state.settle(judge, now);
            found = search(judge, now);
        }
        return found;
    }

    private @Nullable Candidate search(Judge judge, Instant now) {
        searches++;
        relooked = false;
        List<Rollout> ordered = rows.rollouts.ordered();
        int next = 0;
        while (next < ordered.size()) {
            int end = sharing(ordered, next);
            for (int i = next; i < end; i++) {
                Rollout rollout = end - next == 1 ? ordered.get(i) : poorest(ordered, next, end);
                Found found = rollout == null ? Found.NOTHING : look(rollout.lanes, judge, now);
                if (found == Found.START) {
                    return candidate;
                }
                if (found == Found.CLOSED_FLEET) {
                    return nothing(now);
                }
            }
            next = end;
        }
        return nothing(now);
    }

    /** Where those end that share slots with one: the campaigns of its priority. */
    private static int sharing(List<Rollout> ordered, int begin) {
        int end = begin + 1;
        if (ordered.get(begin) instanceof CampaignRollout first) {
            while (end < ordered.size()
                    && ordered.get(end) instanceof CampaignRollout other
                    && other.spec().priority() == first.spec().priority()) {
                end++;
            }
        }
        return end;
    }

    /** Of those that share slots the one that has the fewest for its weight, of those not looked at yet; null for none. */
    private @Nullable CampaignRollout poorest(List<Rollout> ordered, int begin, int end) {
        CampaignRollout poorest = null;
        for (int i = begin; i < end; i++) {
            CampaignRollout each = (CampaignRollout) ordered.get(i);
            if (each.searched != searches
                    && each.lanes.first() != null
                    && (poorest == null
                            || (long) each.inFlight * poorest.weight() < (long) poorest.inFlight * each.weight())) {
                poorest = each;
            }
        }
        if (poorest != null) {
            poorest.searched = searches;
        }
        return poorest;
    }

    /** What came of looking at one rollout: the candidate is the start. */
    private enum Found {
        START,
        NOTHING,
        CLOSED_FLEET
    }

    private Found look(Lanes lanes, Judge judge, Instant now) {
        Lane lane = lanes.first();
        while (lane != null) {
            Share share = lane.first();
            candidate.aim(share, share.candidate, now);
            if (!judge.isOpen(Judge.Level.FLEET, candidate)) {
                lanes.recall();
                return Found.CLOSED_FLEET;
            }
            if (!judge.isOpen(Judge.Level.SITE, candidate)) {
                lanes.setAside(lane.site);
            } else if (!judge.isOpen(Judge.Level.ROLLOUT, candidate)) {
                lanes.setAside(lane);
            } else if (!judge.isOpen(Judge.Level.CLUSTER, candidate)) {
                // It was let through at another instant: it no longer fits its window, or a clock has gone back.
                // Another machine of its cluster may fit, and other clusters need not wait for this one.
                rows.relook(share.candidate);
                lanes.leave(share);
                relooked = true;
            } else {
                lanes.recall();
                return Found.START;
            }
            lane = lanes.first();
        }
        lanes.recall();
        return Found.NOTHING;
    }

    private @Nullable Candidate nothing(Instant now) {
        fruitless = true;
        fruitlessAt = now;
        return null;
    }

    @Nullable
    Candidate candidate(Rollout rollout, Machine machine, Instant now) {
        Cluster cluster = machine.cluster();
        Share share = cluster == null || cluster.isNowhere() ? null : cluster.share(rollout);
        return share == null ? null : new Candidate(state, rows.inventory.machines).aim(share, machine.row, now);
    }
}
