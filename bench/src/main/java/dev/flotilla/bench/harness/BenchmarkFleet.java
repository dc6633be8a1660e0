package dev.flotilla.bench.harness;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.rollout.VirtualCluster;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualInventoryRows;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;

/** Fleets whose rows are in Kafka without watchers and workers, with their policies and campaigns. */
public final class BenchmarkFleet {
    private static final CountOrPercent ALL_WORKERS = new CountOrPercent.Percent(100);
    private static final int EVERYTHING = 100;

    private final VirtualInventoryRows rows = VirtualInventoryRows.plain();
    private final VirtualFleet fleet;

    private BenchmarkFleet(VirtualFleet fleet) {
        this.fleet = fleet;
    }

    /** Makes clusters of a size with one control-plane machine each, spread over the sites. */
    public static BenchmarkFleet createFleet(int sites, int machines, int cluster) {
        VirtualFleet.Builder fleet = new VirtualFleet.Builder();
        for (int i = 0; i < machines / cluster; i++) {
            ClusterKey key = new ClusterKey(new SiteId("site-" + (i % sites + 1)), "fleet", "c" + i);
            fleet.cluster(key, Labels.NONE, 1, cluster - 1);
        }
        return new BenchmarkFleet(fleet.build());
    }

    public List<SiteId> sites() {
        return List.copyOf(fleet.sites());
    }

    public int machines() {
        return fleet.machines();
    }

    public void sendHeartbeats(RowSender sender) {
        for (SiteId site : sites()) {
            sender.send(TablePartition.of(Table.INVENTORY, site), rows.heartbeat(site, Instant.now()));
        }
    }

    public void sendInventory(RowSender sender) {
        forEachInventoryRow(sender::send);
    }

    /** Lists the rows of all clusters and machines with their partitions. */
    public void forEachInventoryRow(BiConsumer<TablePartition, RowChange> each) {
        for (VirtualCluster cluster : fleet.clusters()) {
            TablePartition tablePartition =
                    TablePartition.of(Table.INVENTORY, cluster.key().site());
            each.accept(tablePartition, rows.row(cluster));
            for (int at = 0; at < cluster.size(); at++) {
                each.accept(tablePartition, rows.row(cluster, at));
            }
        }
    }

    public static void sendPolicy(RowSender sender, int cap) {
        sender.send(TablePartition.of(Table.POLICIES), policy(cap));
    }

    public static UpgradePolicy policy(int cap) {
        return new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null);
    }

    public static void sendCampaign(RowSender sender, String name, UpgradeTarget target) {
        sender.send(TablePartition.of(Table.CAMPAIGNS), campaign(name, target));
    }

    /** Campaign over all machines in one wave, as many at once as the cap allows. */
    public static Campaign campaign(String name, UpgradeTarget target) {
        return campaign(name, target, ALL_WORKERS);
    }

    public static Campaign campaign(String name, UpgradeTarget target, CountOrPercent maxUnavailable) {
        CampaignSpec spec = new CampaignSpecBuilder(target, MachineSelection.EVERYTHING)
                .waves(List.of(new Wave("all", List.of(), LabelSelector.ALL, false, EVERYTHING)))
                .priority(0)
                .maxUnavailable(maxUnavailable)
                .build();
        return new Campaign(new CampaignName(name), Labels.NONE, spec);
    }
}
