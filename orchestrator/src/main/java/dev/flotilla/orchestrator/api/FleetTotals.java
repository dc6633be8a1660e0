package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.orchestrator.api.answer.CampaignListItem;
import dev.flotilla.orchestrator.api.answer.FleetResponse;
import dev.flotilla.orchestrator.api.answer.SiteListResponse;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.FailureBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is counted anyhow, of the fleet, its sites and its campaigns. */
record FleetTotals(FleetResponse fleet, List<SiteListResponse.SiteListItem> sites, List<CampaignTotals> campaigns) {

    /**
     * A campaign.
     *
     * @param failed machines that failed and have not succeeded since
     * @param budget how many may; null for no budget
     * @param secondsToEnd seconds until its expected end; null where that cannot be told
     */
    record CampaignTotals(
            CampaignName name,
            CampaignState state,
            int machines,
            int remaining,
            int inFlight,
            int failed,
            @Nullable Integer budget,
            @Nullable Long secondsToEnd) {

        static CampaignTotals of(CampaignRollout campaign, StateView view) {
            CampaignListItem item = CampaignListItem.of(view.state(), campaign, view.now());
            FailureBudget stated = campaign.spec().failureBudget();
            return new CampaignTotals(
                    campaign.name(),
                    item.state(),
                    item.machines(),
                    item.remaining(),
                    item.inFlight(),
                    campaign.failed(),
                    stated == null ? null : (Integer) stated.maxFailures().of(campaign.total()),
                    item.expectedEndAt() == null
                            ? null
                            : (Long) Math.max(
                                    0,
                                    item.expectedEndAt().getEpochSecond()
                                            - view.now().getEpochSecond()));
        }

        boolean isRunning() {
            return state == CampaignState.RUNNING;
        }

        /** Whether it has machines left, and nothing is done about any of them. */
        boolean isIdle() {
            return isRunning() && remaining > 0 && inFlight == 0;
        }

        /** Seconds until its expected end; NaN where that cannot be told. */
        double seconds() {
            return secondsToEnd == null ? Double.NaN : secondsToEnd;
        }

        double failedShare() {
            return budget == null ? 0 : budget == 0 ? (failed > 0 ? 1 : 0) : (double) failed / budget;
        }
    }

    static FleetTotals of(StateView view) {
        List<CampaignTotals> campaigns = new ArrayList<>();
        view.state().campaigns().values().forEach(each -> campaigns.add(CampaignTotals.of(each, view)));
        return new FleetTotals(
                FleetResponse.of(view, List.of()), SiteListResponse.of(view).sites(), campaigns);
    }

    /** Whether it is the leader's word. */
    boolean isLeaders() {
        return fleet.replicaRole() == ReplicaRole.LEADER;
    }

    /**
     * Running campaigns by name, so many of them and the rest together under a name of its own. Those come first that are
     * nearest to their failure budget.
     */
    SortedMap<String, List<CampaignTotals>> topCampaigns(int most, String others) {
        SortedMap<String, List<CampaignTotals>> named = new TreeMap<>();
        running().stream()
                .sorted(Comparator.comparingDouble(CampaignTotals::failedShare)
                        .reversed()
                        .thenComparing(campaignTotals -> campaignTotals.name().name()))
                .forEach(campaignTotals -> named.computeIfAbsent(
                                named.size() < most ? campaignTotals.name().name() : others, name -> new ArrayList<>())
                        .add(campaignTotals));
        return named;
    }

    List<CampaignTotals> running() {
        return campaigns.stream().filter(CampaignTotals::isRunning).toList();
    }
}
