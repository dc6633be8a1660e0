package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a campaign. A cluster is in the first wave that selects it, whole; the last wave selects everything that is
 * left.
 *
 * @param size how much it takes of what it selects: so many of a hundred clusters, or so many machines; null for all
 * @param approval whether a person's order is waited for, before the wave begins or before it is done with
 * @param successPercent how many of a hundred machines must succeed before the wave is done with and the next begins;
 *     machines that were skipped do not count
 * @param soak how long after its last success it is done with at the earliest
 */
public record Wave(
        String name,
        List<SiteId> sites,
        LabelSelector clusters,
        @Nullable CountOrPercent size,
        WaveApproval approval,
        int successPercent,
        Duration soak) {
    /** A share of the clusters is counted in millionths. */
    public static final int WHOLE = 1_000_000;

    /** When a wave waits for a person. */
    public enum WaveApproval {
        NONE,
        BEFORE,
        AFTER;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Wave {
        sites = List.copyOf(sites);
    }

    /** One that takes all that it selects, and is done with as soon as enough of it has succeeded. */
    public Wave(String name, List<SiteId> sites, LabelSelector clusters, boolean approval, int successPercent) {
        this(
                name,
                sites,
                clusters,
                null,
                approval ? WaveApproval.BEFORE : WaveApproval.NONE,
                successPercent,
                Duration.ZERO);
    }

    /** Whether it waits for a person before it begins. */
    public boolean needsApprovalBefore() {
        return approval == WaveApproval.BEFORE;
    }

    /** Whether it waits for a person before it is done with. */
    public boolean needsApprovalAfter() {
        return approval == WaveApproval.AFTER;
    }
}
