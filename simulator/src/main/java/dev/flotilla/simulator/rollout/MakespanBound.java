package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.row.CountOrPercent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A duration that no order of starts can beat. All work fills the cap without a gap. The longest cluster
 * upgrades its control plane one by one and then its workers, with as many in parallel as may be unavailable. A wave
 * begins only when the one before it has enough successes; until then no more work is done than the clusters of the
 * earlier waves can do in parallel.
 */
public final class MakespanBound {
    private static final int HUNDRED = 100;

    /**
     * A cluster's work in a wave.
     *
     * @param controlPlane how long each of its control-plane machines is busy, in milliseconds
     * @param workers the same for its workers
     * @param width how many workers may be unavailable at once
     * @param failing the durations of the machines that never succeed; they are also in the other two lists
     */
    public record ClusterUpgradeWork(List<Long> controlPlane, List<Long> workers, int width, List<Long> failing) {
        public ClusterUpgradeWork {
            controlPlane = List.copyOf(controlPlane);
            workers = List.copyOf(workers);
            failing = List.copyOf(failing);
        }
    }

    /** A wave: its clusters, and the percentage of its machines that must succeed before the next wave begins. */
    public record WaveUpgradeWork(List<ClusterUpgradeWork> clusters, int successPercent) {
        public WaveUpgradeWork {
            clusters = List.copyOf(clusters);
        }
    }

    /**
     * A campaign's work.
     *
     * @param cap how many of its machines may be in flight
     */
    public record CampaignUpgradeWork(List<WaveUpgradeWork> waves, int cap) {
        public CampaignUpgradeWork {
            waves = List.copyOf(waves);
        }
    }

    private MakespanBound() {}

    /** The bound for upgrading every machine of a fleet once, in milliseconds. */
    public static long fleetMillis(
            VirtualFleet fleet, MachineUpgradeDurations durations, int cap, CountOrPercent maxUnavailable) {
        List<ClusterUpgradeWork> clusters = new ArrayList<>();
        for (VirtualCluster cluster : fleet.clusters()) {
            List<Long> all = new ArrayList<>();
            for (int place = 0; place < cluster.size(); place++) {
                all.add(durations.millis(cluster.first() + place));
            }
            clusters.add(new ClusterUpgradeWork(
                    all.subList(0, cluster.controlPlanes()),
                    all.subList(cluster.controlPlanes(), all.size()),
                    maxUnavailable.of(cluster.workers()),
                    List.of()));
        }
        return campaignMillis(List.of(new WaveUpgradeWork(clusters, HUNDRED)), cap);
    }

    /** The bound for several campaigns in milliseconds: the longest alone, or all work divided by the fleet's cap. */
    public static long campaignsMillis(List<CampaignUpgradeWork> campaigns, int fleetCap) {
        long longest = 0;
        long work = 0;
        for (CampaignUpgradeWork campaign : campaigns) {
            longest = Math.max(longest, campaignMillis(campaign.waves(), campaign.cap()));
            work += campaign.waves().stream().mapToLong(MakespanBound::work).sum();
        }
        return Math.max(longest, divideRoundingUp(work, fleetCap));
    }

    /** The bound for one campaign in milliseconds. */
    public static long campaignMillis(List<WaveUpgradeWork> waves, int cap) {
        long work = waves.stream().mapToLong(MakespanBound::work).sum();
        long waveBegin = 0;
        long bound = 0;
        List<Long> begins = new ArrayList<>();
        for (WaveUpgradeWork wave : waves) {
            bound = Math.max(bound, waveBegin + wholeWaveMillis(wave, cap));
            bound = Math.max(
                    bound, waveBegin + divideRoundingUp(work - maxWorkDone(waves, begins, waveBegin, cap), cap));
            begins.add(waveBegin);
            waveBegin += requiredSuccessesMillis(wave, cap);
        }
        return bound;
    }

    /** The most work of the waves that have begun which can be done by an instant. */
    private static long maxWorkDone(List<WaveUpgradeWork> waves, List<Long> begins, long now, int cap) {
        long done = 0;
        for (int i = 0; i < begins.size(); i++) {
            for (ClusterUpgradeWork cluster : waves.get(i).clusters()) {
                done += maxWorkDone(cluster, now - begins.get(i), cap);
            }
        }
        return Math.min(done, now * cap);
    }

    private static long maxWorkDone(ClusterUpgradeWork cluster, long time, int cap) {
        long controlPlane = Math.min(time, sum(cluster.controlPlane()));
        return controlPlane + Math.min(sum(cluster.workers()), (time - controlPlane) * Math.min(cap, cluster.width()));
    }

    private static long work(WaveUpgradeWork wave) {
        return wave.clusters().stream()
                .mapToLong(cluster -> sum(cluster.controlPlane()) + sum(cluster.workers()))
                .sum();
    }

    /** The bound for a whole wave. */
    private static long wholeWaveMillis(WaveUpgradeWork wave, int cap) {
        long longest = 0;
        for (ClusterUpgradeWork cluster : wave.clusters()) {
            longest = Math.max(
                    longest,
                    sum(cluster.controlPlane())
                            + Math.max(
                                    longest(cluster.workers()),
                                    divideRoundingUp(sum(cluster.workers()), Math.min(cap, cluster.width()))));
        }
        return Math.max(longest, divideRoundingUp(work(wave), cap));
    }

    /** The bound for the quickest machines of a wave that suffice for its success percentage. */
    private static long requiredSuccessesMillis(WaveUpgradeWork wave, int cap) {
        if (wave.successPercent() == HUNDRED) {
            return wholeWaveMillis(wave, cap);
        }
        List<Long> busy = new ArrayList<>();
        List<Long> earliest = new ArrayList<>();
        for (ClusterUpgradeWork cluster : wave.clusters()) {
            List<Long> controlPlane = without(cluster.controlPlane(), cluster.failing());
            List<Long> workers = without(cluster.workers(), cluster.failing());
            busy.addAll(controlPlane);
            busy.addAll(workers);
            long sum = 0;
            for (long millis : controlPlane) {
                sum += millis;
                earliest.add(sum);
            }
            long begin = sum(cluster.controlPlane());
            sum = 0;
            for (long millis : workers) {
                sum += millis;
                earliest.add(begin + Math.max(millis, divideRoundingUp(sum, Math.min(cap, cluster.width()))));
            }
        }
        Collections.sort(busy);
        Collections.sort(earliest);
        int machines = wave.clusters().stream()
                .mapToInt(cluster ->
                        cluster.controlPlane().size() + cluster.workers().size())
                .sum();
        int needed = Math.min(busy.size(), (machines * wave.successPercent() + HUNDRED - 1) / HUNDRED);
        return needed == 0
                ? 0
                : Math.max(earliest.get(needed - 1), divideRoundingUp(sum(busy.subList(0, needed)), cap));
    }

    /** The durations without the failing ones, in ascending order. */
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

    private static long divideRoundingUp(long work, int width) {
        return (work + width - 1) / width;
    }
}
