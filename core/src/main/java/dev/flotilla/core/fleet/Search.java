package dev.flotilla.core.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the next machine to start. What closes the fleet, a site or a rollout is asked once for all that stand behind it,
 * so that a closed door costs the same whatever the crowd before it. Campaigns and sites' annotations of
 * equal priority share the slots by weight: the next one goes to whoever has the fewest for its weight.
 */
final class Search {
    private final FleetState state;
    private final Rows rows;
    private final Candidate candidate;
    private boolean fruitless;
    private boolean relooked;
    private final List<Rollout> group = new ArrayList<>();
    private long seq;
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
    Candidate next(Judge judge, Instant now, long seq) {
        if (fruitless && fruitlessAt.equals(now)) {
            return null;
        }
        this.seq = seq;
        Candidate found = search(judge, now);
        while (found == null && relooked) {
            state.settle(judge, now);
            found = search(judge, now);
        }
        return found;
    }

    private @Nullable Candidate search(Judge judge, Instant now) {
        relooked = false;
        List<Rollout> ranked = rows.rollouts.ranked();
        int next = 0;
        while (next < ranked.size()) {
            int end = sharing(ranked, next);
            Found found = look(ranked, next, end, judge, now);
            if (found == Found.START) {
                return candidate;
            }
            if (found == Found.CLOSED_FLEET) {
                return nothing(now);
            }
            next = end;
        }
        return nothing(now);
    }

    /** Where those end that share slots with one: the rollouts of its priority. */
    private static int sharing(List<Rollout> ranked, int begin) {
        int end = begin + 1;
        while (end < ranked.size()
                && ranked.get(end).priority() == ranked.get(begin).priority()) {
            end++;
        }
        return end;
    }

    /** Looks at those that share slots, whoever has the fewest for its weight first. Hardly ever the first finds nothing. */
    private Found look(List<Rollout> ranked, int begin, int end, Judge judge, Instant now) {
        group.clear();
        int first = 0;
        for (int i = begin; i < end; i++) {
            if (ranked.get(i).lanes.first() != null) {
                group.add(ranked.get(i));
                first = compare(group.getLast(), group.get(first)) < 0 ? group.size() - 1 : first;
            }
        }
        if (group.isEmpty()) {
            return Found.NOTHING;
        }
        Collections.swap(group, 0, first);
        Found found = look(group.getFirst().lanes, judge, now);
        if (found == Found.NOTHING && group.size() > 1) {
            group.subList(1, group.size()).sort(this::compare);
        }
        for (int i = 1; i < group.size() && found == Found.NOTHING; i++) {
            found = look(group.get(i).lanes, judge, now);
        }
        return found;
    }

    /** Whoever has fewer in flight for its weight goes first; of equals another with each decision, or one would go first always. */
    private int compare(Rollout one, Rollout other) {
        int byShare = Long.compare((long) one.flying() * other.weight(), (long) other.flying() * one.weight());
        return byShare != 0
                ? byShare
                : Long.compareUnsigned(Digest.mix(one.spread() ^ seq), Digest.mix(other.spread() ^ seq));
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
