package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.ClusterUpgradeNeed;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.VersionField;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the clusters in which a campaign does not have Cluster API update the machines. */
final class ClusterApiWarningFinder {
    private ClusterApiWarningFinder() {}

    /** Returns a warning that counts these clusters and explains the first one; null if there are none. */
    static @Nullable CampaignWarning find(FleetState state, CampaignRollout campaign, Instant now) {
        int clusters = 0;
        String example = "";
        for (ClusterState cluster : state.clusters()) {
            ClusterRow row = cluster.row();
            String problem = row == null || row.versionFields().isEmpty()
                    ? null
                    : findProblem(state, campaign, state.machines(cluster), cluster, now);
            if (problem != null) {
                example = clusters++ == 0 ? cluster.key() + ": " + problem : example;
            }
        }
        return clusters == 0
                ? null
                : new CampaignWarning(
                        CampaignWarning.WarningKind.CLUSTER_API,
                        "leaves machines of " + clusters + (clusters == 1 ? " cluster" : " clusters") + " alone ("
                                + example + ")");
    }

    private static @Nullable String findProblem(
            FleetState state, CampaignRollout campaign, List<MachineView> machines, ClusterState cluster, Instant now) {
        for (MachineView machine : machines) {
            StartCandidate member = ClusterUpgradeNeed.mustBeRequested(cluster, campaign, machine)
                    ? state.candidateOf(campaign, machine, now)
                    : null;
            VersionField field = member == null || !member.progressState().isWaiting()
                    ? null
                    : ClusterUpgradeNeed.fieldOf(cluster, machine);
            String problem =
                    field == null ? null : ClusterUpgradeNeed.problemOf(cluster, campaign, field, machines.getFirst());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }
}
