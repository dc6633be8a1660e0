package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.PreparationNeed;
import dev.flotilla.core.fleet.start.StartCandidate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Finds campaigns with {@code prepare} that can never prepare a machine. */
final class PreparationWarningFinder {
    private PreparationWarningFinder() {}

    /** The warning of a campaign that prepares nothing; null for none. It looks at every machine. */
    static @Nullable CampaignWarning find(FleetState state, CampaignRollout campaign, Instant now) {
        if (campaign.spec().preparation() == null || campaign.spec().waves().size() > 1) {
            return null;
        }
        int machines = 0;
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                StartCandidate member =
                        machine.provider().canPrepare() ? state.candidateOf(campaign, machine, now) : null;
                if (member != null && member.progressState().isWaiting()) {
                    if (isEverHeldBack(state, campaign, cluster, now)) {
                        return null;
                    }
                    machines++;
                }
            }
        }
        return machines == 0
                ? null
                : new CampaignWarning(
                        CampaignWarning.WarningKind.PREPARATION,
                        "has prepare, but prepares nothing: with one wave, no startAt ahead and no maintenance window, the upgrades of "
                                + machines + (machines == 1 ? " machine" : " machines")
                                + " may start at once, and fetch what they need");
    }

    /** Whether the time holds back starts in a cluster, now or after a window has closed. */
    private static boolean isEverHeldBack(
            FleetState state, CampaignRollout campaign, ClusterState cluster, Instant now) {
        Instant startsAt = PreparationNeed.startsAt(state, campaign, cluster, now);
        return startsAt == null
                || !PreparationNeed.isTooLate(startsAt, now)
                || !state.windows(campaign, cluster).isEmpty();
    }
}
