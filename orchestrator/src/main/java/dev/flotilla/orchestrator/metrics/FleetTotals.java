package dev.flotilla.orchestrator.metrics;

import dev.flotilla.core.explain.ApprovalNeed;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.orchestrator.api.answer.CampaignListItem;
import dev.flotilla.orchestrator.api.answer.FleetResponse;
import dev.flotilla.orchestrator.api.answer.SiteListResponse;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.FailureBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Totals of the fleet, its sites and its campaigns that are kept up to date without a scan. */
record FleetTotals(FleetResponse fleet, List<SiteListResponse.SiteListItem> sites, List<CampaignTotals> campaigns) {

    /**
     * The totals of a campaign.
     *
     * @param failed machines that failed and have not succeeded since
     * @param prepared machines that are prepared and have not ended
     * @param budget the failure budget in machines; null if there is none
     * @param secondsToEnd seconds until its expected end; null if unknown
     * @param awaitsApproval whether it goes on only after somebody approves something
     */
    record CampaignTotals(
            CampaignName name,
            CampaignState state,
            int machines,
            int remaining,
            int inFlight,
            int failed,
            int prepared,
            @Nullable Integer budget,
            @Nullable Long secondsToEnd,
            boolean awaitsApproval) {

        static CampaignTotals of(CampaignRollout campaign, StateView view) {
            CampaignListItem item = CampaignListItem.of(view.state(), campaign, view.now());
            FailureBudget failureBudget = campaign.spec().failureBudget();
            return new CampaignTotals(
                    campaign.name(),
                    item.state(),
                    item.machines(),
                    item.remaining(),
                    item.inFlight(),
                    campaign.failed(),
                    campaign.prepared(),
                    failureBudget == null
                            ? null
                            : (Integer) failureBudget.maxFailures().of(campaign.total()),
                    item.expectedEndAt() == null
                            ? null
                            : (Long) Math.max(
                                    0,
                                    item.expectedEndAt().getEpochSecond()
                                            - view.now().getEpochSecond()),
                    ApprovalNeed.awaitsApproval(view.state(), campaign));
        }

        boolean isRunning() {
            return state == CampaignState.RUNNING;
        }

        /** Whether machines remain and none is in flight. */
        boolean isStalled() {
            return isRunning() && remaining > 0 && inFlight == 0;
        }

        /** Seconds until its expected end; NaN if unknown. */
        double seconds() {
            return secondsToEnd == null ? Double.NaN : secondsToEnd;
        }

        double failedShare() {
            return budget == null ? 0 : budget == 0 ? (failed > 0 ? 1 : 0) : (double) failed / budget;
        }
    }

    static FleetTotals of(StateView view) {
        List<CampaignTotals> campaigns = new ArrayList<>();
        view.state().campaigns().values().forEach(campaign -> campaigns.add(CampaignTotals.of(campaign, view)));
        return new FleetTotals(
                FleetResponse.of(view, List.of()), SiteListResponse.of(view).sites(), campaigns);
    }

    /** Whether the leader reports these totals. */
    boolean isFromLeader() {
        return fleet.replicaRole() == ReplicaRole.LEADER;
    }

    /**
     * Running campaigns by name: at most this many, those nearest to their failure budget first, and the others
     * together under one name.
     */
    SortedMap<String, List<CampaignTotals>> topCampaigns(int limit, String othersName) {
        SortedMap<String, List<CampaignTotals>> named = new TreeMap<>();
        running().stream()
                .sorted(Comparator.comparingDouble(CampaignTotals::failedShare)
                        .reversed()
                        .thenComparing(campaignTotals -> campaignTotals.name().name()))
                .forEach(campaignTotals -> named.computeIfAbsent(
                                named.size() < limit ? campaignTotals.name().name() : othersName,
                                name -> new ArrayList<>())
                        .add(campaignTotals));
        return named;
    }

    List<CampaignTotals> running() {
        return campaigns.stream().filter(CampaignTotals::isRunning).toList();
    }
}
