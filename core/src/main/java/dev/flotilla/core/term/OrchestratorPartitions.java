package dev.flotilla.core.term;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Which partitions the orchestrator reads and writes. */
public final class OrchestratorPartitions {
    private static final List<Table> FLEET_INPUTS = List.of(
            Table.POLICIES, Table.CAMPAIGNS, Table.ORDERS, Table.APPROVALS, Table.FREEZES, Table.AUDITOR_ORDERS);
    private static final List<Table> FLEET_OUTPUTS = List.of(Table.HEAD, Table.CAMPAIGN_STATUS, Table.REJECTED);
    private static final List<Table> SITE_INPUTS = List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS);

    private OrchestratorPartitions() {}

    /** The partitions that others write and the orchestrator decides on. */
    public static List<TablePartition> inputs(Collection<SiteId> sites) {
        List<TablePartition> places = inputsOfFleet();
        sites.forEach(site -> places.addAll(inputsOf(site)));
        return places;
    }

    public static List<TablePartition> inputsOfFleet() {
        List<TablePartition> places = new ArrayList<>();
        for (Table table : FLEET_INPUTS) {
            places.add(TablePartition.of(table));
        }
        return places;
    }

    public static List<TablePartition> inputsOf(SiteId site) {
        List<TablePartition> places = new ArrayList<>();
        for (Table table : SITE_INPUTS) {
            for (int partition = 0; partition < table.partitions(); partition++) {
                places.add(new TablePartition(table, site, partition));
            }
        }
        return places;
    }

    /** The partitions that the orchestrator writes and reads back when it restores. */
    public static List<TablePartition> outputs(Collection<SiteId> sites) {
        List<TablePartition> places = outputsOfFleet();
        sites.forEach(site -> places.addAll(outputsOf(site)));
        return places;
    }

    public static List<TablePartition> outputsOfFleet() {
        List<TablePartition> places = new ArrayList<>();
        for (Table table : FLEET_OUTPUTS) {
            places.add(TablePartition.of(table));
        }
        return places;
    }

    public static List<TablePartition> outputsOf(SiteId site) {
        List<TablePartition> places = new ArrayList<>();
        places.add(TablePartition.of(Table.STATUS, site));
        for (int partition = 0; partition < Table.COMMANDS.partitions(); partition++) {
            places.add(new TablePartition(Table.COMMANDS, site, partition));
        }
        return places;
    }

    public static boolean isInput(Table table) {
        return FLEET_INPUTS.contains(table) || SITE_INPUTS.contains(table);
    }

    /** Whether a restore reads a table of the fleet whose rows count beside the head's. */
    public static boolean isRestoredFrom(Table table) {
        return FLEET_INPUTS.contains(table) || (FLEET_OUTPUTS.contains(table) && table != Table.HEAD);
    }

    /** Where a row of its own is written to. */
    public static TablePartition partitionOf(RowKey at) {
        return switch (at.key()) {
            case MachineKey machine -> TablePartition.of(at.table(), machine);
            case ObjectKey object -> TablePartition.of(at.table(), object.site());
            case SiteId site ->
                at.table().isPerSite() ? TablePartition.of(at.table(), site) : TablePartition.of(at.table());
            default -> TablePartition.of(at.table());
        };
    }
}
