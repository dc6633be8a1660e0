package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The published and the decided rows of a world of clusters that Cluster API updates in place. */
final class InPlaceRows {
    private final Map<RowKey, RowChange> rows = new LinkedHashMap<>();

    void put(RowKey key, RowChange row) {
        rows.put(key, row);
    }

    Collection<RowChange> all() {
        return rows.values();
    }

    <T> @Nullable T row(Table table, dev.flotilla.schemas.id.EntityKey key, Class<T> type) {
        RowChange row = rows.get(new RowKey(table, key));
        return type.isInstance(row) ? type.cast(row) : null;
    }

    List<MachineRow> machines(ClusterKey cluster) {
        return rows.values().stream()
                .filter(MachineRow.class::isInstance)
                .map(MachineRow.class::cast)
                .filter(machine -> machine.clusterKey().equals(cluster))
                .toList();
    }

    /** The version that the command of a machine's attempt expects; null for none. */
    @Nullable
    String expectedVersion(MachineKey machine) {
        return row(Table.COMMANDS, machine, WorkerCommand.class) instanceof WorkerCommand.UpgradeMachine command
                ? command.expectedVersion()
                : null;
    }

    boolean isAtTarget(MachineRow machine, RolloutRef ref) {
        RolloutEntry entry = entry(machine.key(), ref);
        return entry != null && entry.outcome().isAtTarget();
    }

    @Nullable
    RolloutEntry entry(MachineKey machine, RolloutRef ref) {
        MachineStatus status = row(Table.STATUS, machine, MachineStatus.class);
        return status == null
                ? null
                : status.entries().stream()
                        .filter(entry -> entry.rolloutRef().equals(ref))
                        .findFirst()
                        .orElse(null);
    }

    @Nullable
    ClusterUpgrade upgrade(ClusterKey cluster) {
        return row(Table.STATUS, new ClusterUpgradeKey(cluster), ClusterUpgrade.class);
    }

    @Nullable
    CampaignStatus campaign(RolloutRef.CampaignRef ref) {
        CampaignStatus campaign = row(Table.CAMPAIGN_STATUS, ref.name(), CampaignStatus.class);
        return campaign != null && campaign.uid() == ref.uid() ? campaign : null;
    }

    boolean isFrozen() {
        OperatorOrder freeze = row(Table.FREEZES, new OperatorOrderKey.FreezeFleet(), OperatorOrder.class);
        return freeze != null && freeze.verb() == OperatorOrder.OrderVerb.FREEZE;
    }

    int cap() {
        LastAcceptedPolicy policy =
                row(Table.CAMPAIGN_STATUS, dev.flotilla.schemas.id.FleetScope.FLEET, LastAcceptedPolicy.class);
        return policy != null && policy.policy().maxInFlight() instanceof CountOrPercent.Count count
                ? count.count()
                : Integer.MAX_VALUE;
    }

    int inFlight() {
        return inFlightMachines().size();
    }

    List<MachineKey> inFlightMachines() {
        return rows.values().stream()
                .filter(MachineStatus.class::isInstance)
                .map(MachineStatus.class::cast)
                .filter(status -> status.attempt() != null)
                .map(MachineStatus::key)
                .toList();
    }

    /** All rows in any order. */
    List<RowChange> shuffled(SeededRandom chance) {
        List<RowChange> all = new ArrayList<>(rows.values());
        chance.shuffle(all);
        return all;
    }
}
