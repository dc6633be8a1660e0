package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.orchestrator.api.answer.CampaignItem;
import dev.flotilla.orchestrator.api.answer.FleetAnswer;
import dev.flotilla.orchestrator.api.answer.SitesAnswer;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.CampaignState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is counted anyhow, of the fleet, its sites and its campaigns. */
record FleetTotals(FleetAnswer fleet, List<SitesAnswer.Item> sites, List<Campaign> campaigns) {

    /**
     * A campaign.
     *
     * @param failed machines that failed and have not succeeded since
     * @param budget how many may; null for no budget
     * @param endsIn seconds until its expected end; null where that cannot be told
     */
    record Campaign(
            CampaignName name,
            CampaignState state,
            int machines,
            int remaining,
            int inFlight,
            int failed,
            @Nullable Integer budget,
            @Nullable Long endsIn) {

        static Campaign of(CampaignRollout campaign, View view) {
            CampaignItem item = CampaignItem.of(view.state(), campaign, view.now());
            FailureBudget stated = campaign.spec().failureBudget();
            return new Campaign(
                    campaign.name(),
                    item.state(),
                    item.machines(),
                    item.remaining(),
                    item.inFlight(),
                    campaign.failed(),
                    stated == null ? null : (Integer) stated.maxFailures().of(campaign.total()),
                    item.expected() == null
                            ? null
                            : (Long) Math.max(
                                    0,
                                    item.expected().getEpochSecond()
                                            - view.now().getEpochSecond()));
        }

        boolean runs() {
            return state == CampaignState.RUNNING;
        }

        /** Whether it has machines left, and nothing is done about any of them. */
        boolean isIdle() {
            return runs() && remaining > 0 && inFlight == 0;
        }

        /** Seconds until its expected end; NaN where that cannot be told. */
        double seconds() {
            return endsIn == null ? Double.NaN : endsIn;
        }

        double failedShare() {
            return budget == null ? 0 : budget == 0 ? (failed > 0 ? 1 : 0) : (double) failed / budget;
        }
    }

    static FleetTotals of(View view) {
        List<Campaign> campaigns = new ArrayList<>();
        view.state().campaigns().values().forEach(each -> campaigns.add(Campaign.of(each, view)));
        return new FleetTotals(
                FleetAnswer.of(view, List.of()), SitesAnswer.of(view).sites(), campaigns);
    }

    /** Whether it is the leader's word. */
    boolean isLeaders() {
        return fleet.standing() == Standing.LEADER;
    }

    /**
     * Running campaigns by name, so many of them and the rest together under a name of its own. Those come first that are
     * nearest to their failure budget.
     */
    SortedMap<String, List<Campaign>> named(int most, String others) {
        SortedMap<String, List<Campaign>> named = new TreeMap<>();
        running().stream()
                .sorted(Comparator.comparingDouble(Campaign::failedShare)
                        .reversed()
                        .thenComparing(campaign -> campaign.name().name()))
                .forEach(campaign -> named.computeIfAbsent(
                                named.size() < most ? campaign.name().name() : others, name -> new ArrayList<>())
                        .add(campaign));
        return named;
    }

    List<Campaign> running() {
        return campaigns.stream().filter(Campaign::runs).toList();
    }
}
