package dev.flotilla.cli.file;

import dev.flotilla.schemas.row.Labels;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fleet as somebody describes it to play campaigns on.
 *
 * @param refresh how long refreshes take where a cluster does not say otherwise
 * @param failurePercent how many of a hundred attempts end in an error
 */
public record FleetDescription(String name, RefreshDuration refresh, int failurePercent, List<SiteGroup> sites) {
    public FleetDescription {
        sites = List.copyOf(sites);
    }

    /**
     * How long refreshes take: half of them less than the median, two of three within the spread of it.
     *
     * @param spreadPercent of the median
     */
    public record RefreshDuration(Duration median, int spreadPercent) {
        public static final RefreshDuration DEFAULT = new RefreshDuration(Duration.ofMinutes(4), 25);
    }

    /** So many sites that look alike. */
    public record SiteGroup(String name, int count, List<ClusterGroup> clusters) {
        public SiteGroup {
            clusters = List.copyOf(clusters);
        }

        int machines() {
            return count * clusters.stream().mapToInt(ClusterGroup::machines).sum();
        }
    }

    /** So many clusters that look alike, in each of their sites. */
    public record ClusterGroup(
            String name,
            int count,
            Labels labels,
            int controlPlanes,
            int workers,
            @Nullable RefreshDuration refresh) {
        int machines() {
            return count * (controlPlanes + workers);
        }
    }

    /** How many machines there are in all. */
    public long machines() {
        return sites.stream().mapToLong(SiteGroup::machines).sum();
    }
}
