package dev.flotilla.core.leader;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The partitions that the orchestrator reads and writes. */
public final class OrchestratorPartitions {
    private static final List<Table> FLEET_INPUTS = List.of(
            Table.POLICIES, Table.CAMPAIGNS, Table.ORDERS, Table.APPROVALS, Table.FREEZES, Table.AUDITOR_ORDERS);
    private static final List<Table> FLEET_OUTPUTS = List.of(Table.HEAD, Table.CAMPAIGN_STATUS, Table.REJECTED);
    private static final List<Table> SITE_INPUTS = List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS);

    private OrchestratorPartitions() {}

    /** The partitions that other components write and the orchestrator decides on. */
    public static List<TablePartition> inputs(Collection<SiteId> sites) {
        List<TablePartition> partitions = inputsOfFleet();
        sites.forEach(site -> partitions.addAll(inputsOf(site)));
        return partitions;
    }

    public static List<TablePartition> inputsOfFleet() {
        List<TablePartition> partitions = new ArrayList<>();
        for (Table table : FLEET_INPUTS) {
            partitions.add(TablePartition.of(table));
        }
        return partitions;
    }

    public static List<TablePartition> inputsOf(SiteId site) {
        List<TablePartition> partitions = new ArrayList<>();
        for (Table table : SITE_INPUTS) {
            for (int partition = 0; partition < table.partitions(); partition++) {
                partitions.add(new TablePartition(table, site, partition));
            }
        }
        return partitions;
    }

    /** The partitions that the orchestrator writes, and reads when it restores. */
    public static List<TablePartition> outputs(Collection<SiteId> sites) {
        List<TablePartition> partitions = outputsOfFleet();
        sites.forEach(site -> partitions.addAll(outputsOf(site)));
        return partitions;
    }

    public static List<TablePartition> outputsOfFleet() {
        List<TablePartition> partitions = new ArrayList<>();
        for (Table table : FLEET_OUTPUTS) {
            partitions.add(TablePartition.of(table));
        }
        return partitions;
    }

    public static List<TablePartition> outputsOf(SiteId site) {
        List<TablePartition> partitions = new ArrayList<>();
        partitions.add(TablePartition.of(Table.STATUS, site));
        for (int partition = 0; partition < Table.COMMANDS.partitions(); partition++) {
            partitions.add(new TablePartition(Table.COMMANDS, site, partition));
        }
        return partitions;
    }

    public static boolean isInput(Table table) {
        return FLEET_INPUTS.contains(table) || SITE_INPUTS.contains(table);
    }

    /** Whether a restore reads the rows of a fleet table besides the head row. */
    public static boolean isRestoredFrom(Table table) {
        return FLEET_INPUTS.contains(table) || (FLEET_OUTPUTS.contains(table) && table != Table.HEAD);
    }

    /** The partition of one of the orchestrator's own rows. */
    public static TablePartition partitionOf(RowKey rowKey) {
        return switch (rowKey.key()) {
            case MachineKey machine -> TablePartition.of(rowKey.table(), machine);
            case ObjectKey object -> TablePartition.of(rowKey.table(), object.site());
            case SiteId site ->
                rowKey.table().isPerSite()
                        ? TablePartition.of(rowKey.table(), site)
                        : TablePartition.of(rowKey.table());
            default -> TablePartition.of(rowKey.table());
        };
    }
}
