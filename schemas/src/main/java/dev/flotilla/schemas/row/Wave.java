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
 * @param takes how much it takes of what it selects: so many of a hundred clusters, or so many machines; null for all
 * @param approval whether a person's order is waited for, before the wave begins or before it is done with
 * @param successPercent how many of a hundred machines must succeed before the wave is done with and the next begins;
 *     machines that were skipped do not count
 * @param soak how long after its last success it is done with at the earliest
 */
public record Wave(
        String name,
        List<SiteId> sites,
        Selector clusters,
        @Nullable Limit takes,
        Approval approval,
        int successPercent,
        Duration soak) {
    /** A share of the clusters is counted in millionths. */
    public static final int WHOLE = 1_000_000;

    /** When a wave waits for a person. */
    public enum Approval {
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
    public Wave(String name, List<SiteId> sites, Selector clusters, boolean approval, int successPercent) {
        this(name, sites, clusters, null, approval ? Approval.BEFORE : Approval.NONE, successPercent, Duration.ZERO);
    }

    /** Whether it waits for a person before it begins. */
    public boolean approvedBefore() {
        return approval == Approval.BEFORE;
    }

    /** Whether it waits for a person before it is done with. */
    public boolean approvedAfter() {
        return approval == Approval.AFTER;
    }
}
