package dev.flotilla.simulator.node;

import dev.flotilla.schemas.row.UpgradeOption;

/** The snap store as a site sees it, through a proxy of its own: what a channel means there, and that it comes to mean another. */
public final class ChannelStore {
    private int patch;

    /** Every channel gets a new revision. */
    public void moves() {
        patch++;
    }

    /** The revision that an option means now. */
    int revision(UpgradeOption option) {
        return Releases.revision(option) + (option instanceof UpgradeOption.Channel ? patch : 0);
    }

    /** The first revision that an option has meant here. */
    int first(UpgradeOption option) {
        return Releases.revision(option);
    }
}
