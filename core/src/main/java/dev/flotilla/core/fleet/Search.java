package dev.flotilla.core.fleet;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next machine to start. What closes the fleet, a site or a rollout is asked once for all that stand behind it,
 * so that a closed door costs the same whatever the crowd before it.
 */
final class Search {
    private final FleetState state;
    private final Rows rows;
    private final Candidate candidate;
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
        List<Rollout> ordered = rows.rollouts.ordered();
        for (int i = 0; i < ordered.size(); i++) {
            Lanes lanes = ordered.get(i).lanes;
            Lane lane = lanes.first();
            while (lane != null) {
                Share share = lane.first();
                candidate.aim(share, share.candidate, now);
                if (!judge.isOpen(Judge.Level.FLEET, candidate)) {
                    lanes.recall();
                    return nothing(now);
                }
                if (!judge.isOpen(Judge.Level.SITE, candidate)) {
                    lanes.setAside(lane.site);
                } else if (!judge.isOpen(Judge.Level.ROLLOUT, candidate)) {
                    lanes.setAside(lane);
                } else if (!judge.isOpen(Judge.Level.CLUSTER, candidate)) {
                    // It was let through at a later instant than this one: a clock has gone back.
                    rows.relook(share.candidate);
                    lanes.setAside(lane);
                } else {
                    lanes.recall();
                    return candidate;
                }
                lane = lanes.first();
            }
            lanes.recall();
        }
        return nothing(now);
    }

    private @Nullable Candidate nothing(Instant now) {
        fruitless = true;
        fruitlessAt = now;
        return null;
    }

    @Nullable
    Candidate candidate(Rollout rollout, Machine machine, Instant now) {
        Cluster cluster = machine.cluster();
        Share share = cluster == null ? null : cluster.share(rollout);
        return share == null ? null : new Candidate(state, rows.inventory.machines).aim(share, machine.row, now);
    }
}
