package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterApiRule;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operators of a world, and GitOps, which writes versions too. */
final class InPlaceOperators {
    static final List<String> NAMES = List.of("first", "second");
    private static final List<String> TARGETS = List.of("v1.36.3", "v1.36.3", "v1.36.4");

    private final InPlaceScene world;
    private final SeededRandom chance;
    private final Map<String, Campaign> campaigns = new LinkedHashMap<>();
    private int orders;

    InPlaceOperators(InPlaceScene world, SeededRandom chance) {
        this.world = world;
        this.chance = chance;
    }

    Map<String, Campaign> campaigns() {
        return campaigns;
    }

    void policy() {
        world.receive(new UpgradePolicy(
                        FleetScope.FLEET,
                        new CountOrPercent.Count(chance.between(1, 4)),
                        null,
                        false,
                        null,
                        null,
                        null,
                        null)
                .withProviderRules(List.of(new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        UpgradeProvider.NODE_UPGRADE,
                        new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm")))));
    }

    /** What people and GitOps do. */
    void interfere() {
        String name = chance.pick(NAMES);
        int drawn = chance.below(100);
        if (drawn < 40 && !campaigns.containsKey(name)) {
            createCampaign(name);
        } else if (drawn < 55) {
            order(name, OperatorOrder.OrderVerb.PAUSE);
        } else if (drawn < 70) {
            order(name, OperatorOrder.OrderVerb.RUN);
        } else if (drawn < 74) {
            order(name, OperatorOrder.OrderVerb.ABORT);
        } else if (drawn < 80) {
            policy();
        } else if (drawn < 86) {
            freeze(chance.percent(40));
        } else if (drawn < 90 && isAborted(name)) {
            removeCampaign(name);
        } else {
            takeBack(world.anyCluster());
        }
    }

    private void createCampaign(String name) {
        List<MachineRole> roles = chance.percent(70)
                ? List.of()
                : List.of(chance.percent(50) ? MachineRole.WORKER : MachineRole.CONTROL_PLANE);
        CampaignSpecBuilder spec = new CampaignSpecBuilder(
                UpgradeTarget.parse("version=" + chance.pick(TARGETS)),
                new MachineSelection(List.of(), LabelSelector.ALL, LabelSelector.ALL, roles, List.of(), List.of()));
        if (chance.percent(20)) {
            spec.clusterApi(new ClusterApiRule(ClusterApiRule.UncoveredChange.REPLACE));
        }
        Campaign campaign = new Campaign(new CampaignName(name), Labels.NONE, spec.build());
        campaigns.put(name, campaign);
        world.receive(campaign);
    }

    void order(String name, OperatorOrder.OrderVerb verb) {
        CampaignStatus status = status(name);
        if (status != null) {
            OperatorOrderKey key = verb == OperatorOrder.OrderVerb.RETRY
                    ? new OperatorOrderKey.RetryQuarantined(status.name())
                    : new OperatorOrderKey.SetCampaignState(status.name());
            world.receive(new OperatorOrder(key, "order-" + orders++, "ada", "test", status.uid(), null, null, verb));
        }
    }

    void freeze(boolean is) {
        world.receive(new OperatorOrder(
                new OperatorOrderKey.FreezeFleet(),
                "order-" + orders++,
                "ada",
                "test",
                null,
                null,
                null,
                is ? OperatorOrder.OrderVerb.FREEZE : OperatorOrder.OrderVerb.UNFREEZE));
    }

    @Nullable
    CampaignStatus status(String name) {
        return world.invariants().rows().row(Table.CAMPAIGN_STATUS, new CampaignName(name), CampaignStatus.class);
    }

    boolean isAborted(String name) {
        CampaignStatus status = status(name);
        return status != null && status.state() == CampaignState.ABORTED;
    }

    void removeCampaign(String name) {
        campaigns.remove(name);
        world.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName(name))));
    }

    /** Somebody writes the version that a field had before. */
    private void takeBack(InPlaceCluster cluster) {
        ClusterUpgrade upgrade = world.invariants().rows().upgrade(cluster.key);
        if (upgrade == null) {
            return;
        }
        for (VersionFieldChange change : upgrade.changes()) {
            if (change.written() && !change.from().equals(upgrade.version())) {
                cluster.write(change.kind(), change.name(), change.from(), "argocd");
                world.markChanged(cluster);
                return;
            }
        }
    }
}
