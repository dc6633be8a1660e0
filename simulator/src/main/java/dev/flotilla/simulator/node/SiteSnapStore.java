package dev.flotilla.simulator.node;

import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The snap store as one site sees it, through its own proxy: which revision a channel means there. That meaning can
 * change.
 */
public final class SiteSnapStore {
    private int patch;

    /** Publishes a new revision in every channel. */
    public void publishNewRevisions() {
        patch++;
    }

    /** The revision that a target means now. */
    int revision(UpgradeTarget option) {
        return SnapReleases.revision(option) + (option instanceof UpgradeTarget.Channel ? patch : 0);
    }

    /** Whether any revision that a target means or has meant here matches. */
    boolean hasMeant(UpgradeTarget option, IntPredicate matches) {
        return IntStream.rangeClosed(SnapReleases.revision(option), revision(option))
                .anyMatch(matches);
    }
}
