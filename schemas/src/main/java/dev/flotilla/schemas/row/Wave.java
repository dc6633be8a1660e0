package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a campaign's clusters, each with all its machines. A cluster is in the first wave that selects it; the last wave
 * takes the remaining clusters.
 *
 * @param size how much it takes of what it selects: a percentage of the clusters, or a number of machines; null for all
 * @param approval whether an approval is needed before the wave opens or before it closes
 * @param successPercent the percentage of machines that must succeed before the wave closes and the next opens; skipped machines
 *     do not count
 * @param soak the pause after its last success before it closes
 */
public record Wave(
        String name,
        List<SiteId> sites,
        LabelSelector clusters,
        @Nullable CountOrPercent size,
        WaveApproval approval,
        int successPercent,
        Duration soak) {
    /** The unit of a share of the clusters: parts per million. */
    public static final int WHOLE = 1_000_000;

    /** When a wave waits for approval. */
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

    /** A wave that takes all that it selects and closes as soon as enough machines have succeeded. */
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

    /** Whether it needs an approval before it opens. */
    public boolean needsApprovalBefore() {
        return approval == WaveApproval.BEFORE;
    }

    /** Whether it needs an approval before it closes. */
    public boolean needsApprovalAfter() {
        return approval == WaveApproval.AFTER;
    }
}
