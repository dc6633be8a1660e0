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

    /** Whether a gate of the fleet has turned the last candidate away: then it turns all away. */
    private boolean fleetClosed;

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
        boolean found = search(judge, now);
        while (!found && relooked) {
            state.settle(judge, now);
            found = search(judge, now);
        }
        fruitless = !found;
        fruitlessAt = now;
        return found ? candidate : null;
    }

    private boolean search(Judge judge, Instant now) {
        relooked = false;
        fleetClosed = false;
        List<Rollout> ranked = rows.rollouts.ranked();
        boolean found = false;
        int next = 0;
        while (next < ranked.size() && !found && !fleetClosed) {
            int end = sharing(ranked, next);
            found = look(ranked, next, end, judge, now);
            next = end;
        }
        return found;
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
    private boolean look(List<Rollout> ranked, int begin, int end, Judge judge, Instant now) {
        group.clear();
        int first = 0;
        for (int i = begin; i < end; i++) {
            if (ranked.get(i).lanes.first() != null) {
                group.add(ranked.get(i));
                first = compare(group.getLast(), group.get(first)) < 0 ? group.size() - 1 : first;
            }
        }
        if (group.isEmpty()) {
            return false;
        }
        Collections.swap(group, 0, first);
        boolean found = look(group.getFirst().lanes, judge, now);
        if (!found) {
            group.subList(1, group.size()).sort(this::compare);
        }
        for (int i = 1; i < group.size() && !found && !fleetClosed; i++) {
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

    /** Looks at one rollout; says whether the candidate may start now. */
    private boolean look(Lanes lanes, Judge judge, Instant now) {
        boolean found = false;
        for (Lane lane = lanes.first(); lane != null && !found && !fleetClosed; lane = lanes.first()) {
            Share share = lane.first();
            candidate.aim(share, share.candidate, now);
            if (!judge.isOpen(Judge.Level.FLEET, candidate)) {
                fleetClosed = true;
            } else if (!judge.isOpen(Judge.Level.SITE, candidate)) {
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
                found = true;
            }
        }
        lanes.recall();
        return found;
    }

    @Nullable
    Candidate candidate(Rollout rollout, Machine machine, Instant now) {
        Cluster cluster = machine.cluster();
        Share share = cluster == null || cluster.isNowhere() ? null : cluster.share(rollout);
        return share == null ? null : new Candidate(state, rows.inventory.machines).aim(share, machine.row, now);
    }
}
