package dev.flotilla.cli.file;

import dev.flotilla.schemas.row.Labels;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A described fleet for virtual rollouts.
 *
 * @param refresh duration of a refresh, unless a cluster sets its own
 * @param failurePercent percentage of attempts that fail
 */
public record FleetDescription(String name, RefreshDuration refresh, int failurePercent, List<SiteGroup> sites) {
    public FleetDescription {
        sites = List.copyOf(sites);
    }

    /**
     * Duration of a refresh: half of them take less than the median, two of three are within the spread around it.
     *
     * @param spreadPercent of the median
     */
    public record RefreshDuration(Duration median, int spreadPercent) {
        public static final RefreshDuration DEFAULT = new RefreshDuration(Duration.ofMinutes(4), 25);
    }

    /** A number of equal sites. */
    public record SiteGroup(String name, int count, List<ClusterGroup> clusters) {
        public SiteGroup {
            clusters = List.copyOf(clusters);
        }

        int machines() {
            return count * clusters.stream().mapToInt(ClusterGroup::machines).sum();
        }
    }

    /** A number of equal clusters in each site of a group. */
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

    /** Number of all machines. */
    public long machines() {
        return sites.stream().mapToLong(SiteGroup::machines).sum();
    }
}
