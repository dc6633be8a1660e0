package dev.flotilla.cli.demo;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.embedded.NodeUpgradeObjects;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesProviders;
import java.time.Duration;
import java.util.List;

/**
 * Policy and campaigns of the demonstration: a cap for the fleet, and for each provider a campaign with a canary, two waves and
 * a failure cohort rule for each model.
 */
public final class DemoCampaign {
    private static final CampaignName NAME = new CampaignName("k8s-1-33");
    private static final CampaignName NODE_UPGRADE_NAME = new CampaignName("k8s-1-33-node-upgrade");
    static final CountOrPercent MAX_UNAVAILABLE = new CountOrPercent.Percent(30);

    /** Retries in wall-clock time, as everything except the nodes' work. */
    private static final RetryRule RETRIES = new RetryRule(2, Duration.ofSeconds(1), Duration.ofSeconds(5));

    /**
     * Time after which an unknown attempt is lost. A worker that is killed during its call leaves the outcome unknown;
     * in production such a machine is waited for up to two hours, too long for a demonstration.
     */
    private static final Duration LOST_AFTER = Duration.ofMinutes(1);

    private static final int CANARY_PERCENT = 10;
    private static final int FIRST_PERCENT = 20;
    private static final int ALL = 100;
    private static final int PRIORITY = 50;

    private static final ProviderRule TEMPLATE_RULE = new ProviderRule(
            List.of(),
            selector(LabelKeys.PROVIDER, UpgradeProvider.NODE_UPGRADE.label()),
            UpgradeProvider.NODE_UPGRADE,
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", NodeUpgradeObjects.NAME));

    private DemoCampaign() {}

    public static UpgradePolicy policy(int cap, SitesProviders providers) {
        UpgradePolicy policy = new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, LOST_AFTER, null);
        return providers.has(UpgradeProvider.NODE_UPGRADE) ? policy.withProviderRules(List.of(TEMPLATE_RULE)) : policy;
    }

    /** The campaigns that upgrade every machine, one for each provider, because each has targets of its own. */
    public static List<Campaign> campaigns(SitesProviders providers) {
        return providers.all().stream().map(DemoCampaign::campaign).toList();
    }

    static CampaignName nameOf(UpgradeProvider provider) {
        return provider == UpgradeProvider.K8SD ? NAME : NODE_UPGRADE_NAME;
    }

    private static UpgradeTarget targetOf(UpgradeProvider provider) {
        return provider == UpgradeProvider.K8SD
                ? new UpgradeTarget.Channel(SnapReleases.channel(1))
                : new UpgradeTarget.KubernetesRelease(SnapReleases.version(
                        SnapReleases.revision(new UpgradeTarget.Channel(SnapReleases.channel(1)))));
    }

    private static Campaign campaign(UpgradeProvider provider) {
        UpgradeTarget target = targetOf(provider);
        List<Wave> waves = List.of(
                new Wave(SitesFleetLayout.CANARY, List.of(), ringed(SitesFleetLayout.CANARY), false, CANARY_PERCENT),
                new Wave(SitesFleetLayout.FIRST, List.of(), ringed(SitesFleetLayout.FIRST), false, FIRST_PERCENT),
                new Wave(SitesFleetLayout.REST, List.of(), LabelSelector.ALL, false, ALL));
        FailureCohortRule models = new FailureCohortRule(
                List.of(SitesFleetLayout.MODEL), FailureCohortRule.DEFAULT_FAILURES, FailureCohortRule.DEFAULT_PERCENT);
        CampaignSpec spec = new CampaignSpecBuilder(
                        target, MachineSelection.EVERYTHING.withProviders(List.of(provider)))
                .waves(waves)
                .cohortCircuitBreaker(models)
                .priority(PRIORITY)
                .maxUnavailable(MAX_UNAVAILABLE)
                .retries(RETRIES)
                .build();
        return new Campaign(nameOf(provider), Labels.NONE, spec);
    }

    private static LabelSelector ringed(String ring) {
        return selector(SitesFleetLayout.RING, ring);
    }

    private static LabelSelector selector(String label, String value) {
        return new LabelSelector(
                List.of(new LabelSelector.LabelRequirement(label, LabelSelector.LabelOperator.IN, List.of(value))));
    }
}
