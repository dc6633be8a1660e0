package dev.flotilla.core.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next machine to start. What closes the fleet, a site or a rollout is asked once for all that stand behind it,
 * so that a closed door costs the same whatever the crowd before it.
 */
final class Search {
    private final FleetState state;
    private final Rows rows;
    private final Candidate candidate;
    private long round;
    private boolean fruitless;
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
        round++;
        for (Rollout rollout : rows.rollouts.ordered()) {
            Lane lane = bestOpen(rollout);
            while (lane != null) {
                Share share = first(lane);
                candidate.aim(share, share.candidate, now);
                if (!judge.isOpen(Judge.Level.FLEET, candidate)) {
                    return nothing(now);
                }
                if (!judge.isOpen(Judge.Level.SITE, candidate)) {
                    closeSite(rollout, lane.site);
                } else if (!judge.isOpen(Judge.Level.ROLLOUT, candidate)) {
                    lane.closedIn = round;
                } else if (!judge.isOpen(Judge.Level.CLUSTER, candidate)) {
                    // It was let through at a later instant than this one: a clock has gone back.
                    rows.relook(share.candidate);
                    lane.closedIn = round;
                } else {
                    return candidate;
                }
                lane = bestOpen(rollout);
            }
        }
        return nothing(now);
    }

    private @Nullable Candidate nothing(Instant now) {
        fruitless = true;
        fruitlessAt = now;
        return null;
    }

    private void closeSite(Rollout rollout, Site site) {
        for (Lane lane : rollout.lanes) {
            if (lane.site == site) {
                lane.closedIn = round;
            }
        }
    }

    private @Nullable Lane bestOpen(Rollout rollout) {
        Lane best = null;
        for (Lane lane : rollout.lanes) {
            Share share = lane.first();
            if (lane.closedIn != round && share != null) {
                Share known = best == null ? null : best.first();
                if (known == null || share.before(known)) {
                    best = lane;
                }
            }
        }
        return best;
    }

    private static Share first(Lane lane) {
        Share share = lane.first();
        if (share == null) {
            throw new IllegalStateException("an empty lane was chosen");
        }
        return share;
    }

    @Nullable
    Candidate candidate(Rollout rollout, Machine machine, Instant now) {
        Cluster cluster = machine.cluster();
        Share share = cluster == null ? null : cluster.share(rollout);
        return share == null ? null : new Candidate(state, rows.inventory.machines).aim(share, machine.row, now);
    }
}
