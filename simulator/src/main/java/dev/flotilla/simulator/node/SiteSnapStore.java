package dev.flotilla.simulator.node;

import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The snap store as a site sees it, through a proxy of its own: what a channel means there, and that it comes to mean another. */
public final class SiteSnapStore {
    private int patch;

    /** Every channel gets a new revision. */
    public void moves() {
        patch++;
    }

    /** The revision that an option means now. */
    int revision(UpgradeTarget option) {
        return SnapReleases.revision(option) + (option instanceof UpgradeTarget.Channel ? patch : 0);
    }

    /** Whether any revision that an option means or has meant here is such. */
    boolean hasMeant(UpgradeTarget option, IntPredicate such) {
        return IntStream.rangeClosed(SnapReleases.revision(option), revision(option))
                .anyMatch(such);
    }
}
