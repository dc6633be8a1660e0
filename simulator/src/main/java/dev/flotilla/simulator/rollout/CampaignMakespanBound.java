package dev.flotilla.simulator.rollout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A time in which no order of starts can do a campaign's work. All work is shared out over the cap without a gap; the
 * longest cluster goes through its control plane one by one and then through its workers as many at once as may be away;
 * a wave cannot begin before the one before it has had as many successes as it needs; and until it can, no more is done than
 * the clusters of those before it can do at once.
 */
public final class CampaignMakespanBound {
    private static final int HUNDRED = 100;

    /**
     * A cluster's work in a wave.
     *
     * @param controlPlane how long each of its control-plane machines is busy, in milliseconds
     * @param workers the same for its workers
     * @param width workers that may be away at once
     * @param failing how long those are busy that never succeed; they are in the other two as well
     */
    public record ClusterUpgradeWork(List<Long> controlPlane, List<Long> workers, int width, List<Long> failing) {
        public ClusterUpgradeWork {
            controlPlane = List.copyOf(controlPlane);
            workers = List.copyOf(workers);
            failing = List.copyOf(failing);
        }
    }

    /** A wave: its clusters, and how many of a hundred must succeed before the next one begins. */
    public record WaveUpgradeWork(List<ClusterUpgradeWork> clusters, int successPercent) {
        public WaveUpgradeWork {
            clusters = List.copyOf(clusters);
        }
    }

    private CampaignMakespanBound() {}

    /** The bound in milliseconds. */
    public static long millis(List<WaveUpgradeWork> waves, int cap) {
        long work = waves.stream().mapToLong(CampaignMakespanBound::work).sum();
        long begun = 0;
        long bound = 0;
        List<Long> began = new ArrayList<>();
        for (WaveUpgradeWork wave : waves) {
            bound = Math.max(bound, begun + whole(wave, cap));
            bound = Math.max(bound, begun + shared(work - done(waves, began, begun, cap), cap));
            began.add(begun);
            begun += enough(wave, cap);
        }
        return bound;
    }

    /** What can be done by an instant, at most, of the waves that have begun. */
    private static long done(List<WaveUpgradeWork> waves, List<Long> began, long now, int cap) {
        long done = 0;
        for (int i = 0; i < began.size(); i++) {
            for (ClusterUpgradeWork cluster : waves.get(i).clusters()) {
                done += done(cluster, now - began.get(i), cap);
            }
        }
        return Math.min(done, now * cap);
    }

    private static long done(ClusterUpgradeWork cluster, long time, int cap) {
        long controlPlane = Math.min(time, sum(cluster.controlPlane()));
        return controlPlane + Math.min(sum(cluster.workers()), (time - controlPlane) * Math.min(cap, cluster.width()));
    }

    private static long work(WaveUpgradeWork wave) {
        return wave.clusters().stream()
                .mapToLong(cluster -> sum(cluster.controlPlane()) + sum(cluster.workers()))
                .sum();
    }

    /** For a whole wave. */
    private static long whole(WaveUpgradeWork wave, int cap) {
        long longest = 0;
        for (ClusterUpgradeWork cluster : wave.clusters()) {
            longest = Math.max(
                    longest,
                    sum(cluster.controlPlane())
                            + Math.max(
                                    longest(cluster.workers()),
                                    shared(sum(cluster.workers()), Math.min(cap, cluster.width()))));
        }
        return Math.max(longest, shared(work(wave), cap));
    }

    /** For as many of a wave's machines, the quickest, as must succeed. */
    private static long enough(WaveUpgradeWork wave, int cap) {
        if (wave.successPercent() == HUNDRED) {
            return whole(wave, cap);
        }
        List<Long> busy = new ArrayList<>();
        List<Long> earliest = new ArrayList<>();
        for (ClusterUpgradeWork cluster : wave.clusters()) {
            List<Long> controlPlane = without(cluster.controlPlane(), cluster.failing());
            List<Long> workers = without(cluster.workers(), cluster.failing());
            busy.addAll(controlPlane);
            busy.addAll(workers);
            long sum = 0;
            for (long each : controlPlane) {
                sum += each;
                earliest.add(sum);
            }
            long begin = sum(cluster.controlPlane());
            sum = 0;
            for (long each : workers) {
                sum += each;
                earliest.add(begin + Math.max(each, shared(sum, Math.min(cap, cluster.width()))));
            }
        }
        Collections.sort(busy);
        Collections.sort(earliest);
        int machines = wave.clusters().stream()
                .mapToInt(cluster ->
                        cluster.controlPlane().size() + cluster.workers().size())
                .sum();
        int needed = Math.min(busy.size(), (machines * wave.successPercent() + HUNDRED - 1) / HUNDRED);
        return needed == 0 ? 0 : Math.max(earliest.get(needed - 1), shared(sum(busy.subList(0, needed)), cap));
    }

    /** The others, the quickest first. */
    private static List<Long> without(List<Long> all, List<Long> failing) {
        List<Long> rest = new ArrayList<>(all);
        failing.forEach(rest::remove);
        Collections.sort(rest);
        return rest;
    }

    private static long sum(List<Long> all) {
        return all.stream().mapToLong(Long::longValue).sum();
    }

    private static long longest(List<Long> all) {
        return all.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private static long shared(long work, int width) {
        return (work + width - 1) / width;
    }
}
