package dev.flotilla.cli.demo;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CohortRule;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.testkit.sites.SitesFleet;
import java.time.Duration;
import java.util.List;

/** What an operator would write: a cap for the fleet, and a campaign of a canary and two waves, with a breaker for each model. */
final class DemoCampaign {
    static final CampaignName NAME = new CampaignName("k8s-1-33");
    static final Limit MAX_UNAVAILABLE = new Limit.Percent(30);

    /** By the wall clock, like everything but the nodes' work. */
    private static final RetryRule RETRIES = new RetryRule(2, Duration.ofSeconds(1), Duration.ofSeconds(5));

    /**
     * A worker that is killed right at its call leaves nobody who knows whether there was one. In earnest such a machine is waited
     * for long after its node has shown nothing; nobody watches a demonstration for two hours.
     */
    private static final Duration LOST_AFTER = Duration.ofMinutes(1);

    private static final int CANARY_PERCENT = 10;
    private static final int FIRST_PERCENT = 20;
    private static final int ALL = 100;
    private static final int PRIORITY = 50;

    private DemoCampaign() {}

    static Policy policy(int cap) {
        return new Policy(Fleet.FLEET, new Limit.Count(cap), null, false, null, null, LOST_AFTER, null);
    }

    static Campaign campaign() {
        UpgradeOption target = new UpgradeOption.Channel(Releases.channel(1));
        List<Wave> waves = List.of(
                new Wave(SitesFleet.CANARY, List.of(), ringed(SitesFleet.CANARY), false, CANARY_PERCENT),
                new Wave(SitesFleet.FIRST, List.of(), ringed(SitesFleet.FIRST), false, FIRST_PERCENT),
                new Wave(SitesFleet.REST, List.of(), Selector.ALL, false, ALL));
        CohortRule models =
                new CohortRule(List.of(SitesFleet.MODEL), CohortRule.USUAL_FAILURES, CohortRule.USUAL_PERCENT);
        CampaignSpec spec = new CampaignSpec(
                target,
                null,
                Selection.EVERYTHING,
                waves,
                null,
                null,
                null,
                null,
                null,
                PRIORITY,
                MAX_UNAVAILABLE,
                true,
                RETRIES);
        Terms terms = new Terms(Duration.ZERO, Terms.USUAL_WEIGHT, List.of(), List.of(), models);
        return new Campaign(NAME, Labels.NONE, spec.with(terms));
    }

    private static Selector ringed(String ring) {
        return new Selector(List.of(new Selector.Requirement(SitesFleet.RING, Selector.Operator.IN, List.of(ring))));
    }
}
