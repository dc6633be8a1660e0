package dev.flotilla.bench.rig;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.rollout.FleetRows;
import dev.flotilla.simulator.rollout.VirtualCluster;
import dev.flotilla.simulator.rollout.VirtualFleet;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;

/** Fleets that stand in Kafka without anybody behind them, and what is asked of them. */
public final class BenchFleet {
    private static final Limit ALL_WORKERS = new Limit.Percent(100);
    private static final int EVERYTHING = 100;

    private final FleetRows rows = FleetRows.plain();
    private final VirtualFleet fleet;

    private BenchFleet(VirtualFleet fleet) {
        this.fleet = fleet;
    }

    /** Clusters of so many, the control plane one of them, the sites in turn. */
    public static BenchFleet of(int sites, int machines, int cluster) {
        VirtualFleet.Builder fleet = new VirtualFleet.Builder();
        for (int i = 0; i < machines / cluster; i++) {
            ClusterKey key = new ClusterKey(new SiteId("site-" + (i % sites + 1)), "fleet", "c" + i);
            fleet.cluster(key, Labels.NONE, 1, cluster - 1);
        }
        return new BenchFleet(fleet.build());
    }

    public VirtualFleet fleet() {
        return fleet;
    }

    public FleetRows rows() {
        return rows;
    }

    public List<SiteId> sites() {
        return List.copyOf(fleet.sites());
    }

    public int machines() {
        return fleet.machines();
    }

    public void sendHeartbeats(RowSender sender) {
        for (SiteId site : sites()) {
            sender.send(Place.of(Table.INVENTORY, site), rows.heartbeat(site, Instant.now()));
        }
    }

    public void sendInventory(RowSender sender) {
        inventory(sender::send);
    }

    /** Every cluster and machine, and where its row stands. */
    public void inventory(BiConsumer<Place, Fact> each) {
        for (VirtualCluster cluster : fleet.clusters()) {
            Place place = Place.of(Table.INVENTORY, cluster.key().site());
            each.accept(place, rows.row(cluster));
            for (int at = 0; at < cluster.size(); at++) {
                each.accept(place, rows.row(cluster, at));
            }
        }
    }

    public static void sendPolicy(RowSender sender, int cap) {
        sender.send(Place.of(Table.POLICIES), policy(cap));
    }

    public static Policy policy(int cap) {
        return new Policy(Fleet.FLEET, new Limit.Count(cap), null, false, null, null, null, null);
    }

    public static void sendCampaign(RowSender sender, String name, UpgradeOption target) {
        sender.send(Place.of(Table.CAMPAIGNS), campaign(name, target));
    }

    /** All machines in one wave, as many at once as the cap allows. */
    public static Campaign campaign(String name, UpgradeOption target) {
        return campaign(name, target, ALL_WORKERS);
    }

    public static Campaign campaign(String name, UpgradeOption target, Limit maxUnavailable) {
        CampaignSpec spec = new CampaignSpec(
                target,
                null,
                Selection.EVERYTHING,
                List.of(new Wave("all", List.of(), Selector.ALL, false, EVERYTHING)),
                null,
                null,
                null,
                null,
                null,
                0,
                maxUnavailable,
                true,
                RetryRule.DEFAULT);
        return new Campaign(new CampaignName(name), Labels.NONE, spec);
    }
}
