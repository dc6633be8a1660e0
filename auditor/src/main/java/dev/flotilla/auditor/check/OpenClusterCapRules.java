package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterUpgrade;
import dev.flotilla.auditor.wire.CountOrPercent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.UpgradePolicy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rules about how many clusters are open: each open cluster with a changed field in which nothing is in flight, and whose running campaign
 * has machines left, takes a slot of each cap, because Cluster API may ask for one of its machines at any time.
 */
final class OpenClusterCapRules {
    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    /** Clusters that a decision has opened; some are closed again. */
    private final Set<String> opened = new TreeSet<>();

    OpenClusterCapRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** Checks a cluster that a decision opens, on the rows before it. */
    void check(ClusterUpgrade after, CampaignStatus campaign) {
        UpgradePolicy fleet = fleetTables.policy("fleet");
        String site = after.cluster().substring(0, after.cluster().indexOf('/'));
        UpgradePolicy own = fleetTables.policy(site);
        if (fleet != null) {
            checkCap(
                    after,
                    "the fleet",
                    fleet.inFlight(),
                    fleetTables.machines().size(),
                    fleetTables.inFlight().countInFleet() + countIdle(each -> true));
            checkCap(
                    after,
                    "site " + site,
                    own != null && own.inFlight() != null ? own.inFlight() : fleet.siteInFlight(),
                    fleetTables.machinesOfSite(site),
                    fleetTables.inFlight().countInSite(site)
                            + countIdle(each -> each.cluster().startsWith(site + "/")));
        }
        CampaignMachineIndex index = fleetTables.campaignMachines(campaign);
        if (index != null) {
            checkCap(
                    after,
                    "campaign " + campaign.name(),
                    campaign.spec().inFlight(),
                    index.selected().size(),
                    fleetTables.inFlight().countInRollout(after.campaign())
                            + countIdle(each -> each.campaign().equals(after.campaign())));
        }
        opened.add(after.cluster());
    }

    private int countIdle(Predicate<ClusterUpgrade> isCounted) {
        int idle = 0;
        for (String cluster : List.copyOf(opened)) {
            ClusterUpgrade upgrade = fleetTables.clusterUpgrade(cluster);
            if (upgrade == null) {
                opened.remove(cluster);
            } else if (isCounted.test(upgrade) && isIdle(upgrade)) {
                idle++;
            }
        }
        return idle;
    }

    private boolean isIdle(ClusterUpgrade upgrade) {
        CampaignStatus campaign = fleetTables.campaign(upgrade.campaign());
        List<MachineRow> machines = fleetTables.machinesOf(upgrade.cluster());
        return campaign != null
                && campaign.isRunning()
                && upgrade.hasChanges()
                && machines.stream().noneMatch(machine -> fleetTables.inFlight().contains(machine.id()))
                && machines.stream()
                        .anyMatch(machine -> fleetTables.membership().isWaiting(machine, upgrade.campaign()));
    }

    private void checkCap(ClusterUpgrade upgrade, String scope, @Nullable CountOrPercent cap, int machines, int taken) {
        if (cap != null) {
            auditFindings.require(
                    taken + 1 <= cap.resolve(machines),
                    AuditInvariant.CAPS,
                    "cluster " + upgrade.cluster() + " was opened as number " + (taken + 1)
                            + " of machines in flight and open clusters of " + scope + ", but the cap is "
                            + cap.resolve(machines) + " (" + cap + " of " + machines + ")");
        }
    }
}
