package dev.flotilla.campaigncontroller.counts;

import org.jspecify.annotations.Nullable;

/** Knows how many machines of a campaign have ended. */
public interface MachineCountsSource {
    /** Knows none. */
    MachineCountsSource NONE = (campaign, uid) -> null;

    /** Returns the counts of a campaign; null if they are not known. */
    @Nullable
    MachineCounts find(String campaign, long uid);
}
