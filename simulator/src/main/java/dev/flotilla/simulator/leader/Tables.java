package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.log.Place;
import java.util.ArrayList;
import java.util.List;

/** Which partitions the orchestrator reads and writes. */
public final class Tables {
    private static final List<Table> FLEET_INPUTS = List.of(Table.POLICIES, Table.CAMPAIGNS, Table.ORDERS);
    private static final List<Table> SITE_INPUTS = List.of(Table.INVENTORY, Table.INTENTS, Table.PROGRESS);

    private Tables() {}

    /** The partitions that others write and the orchestrator decides on. */
    public static List<Place> inputs(List<SiteId> sites) {
        List<Place> places = new ArrayList<>();
        for (Table table : FLEET_INPUTS) {
            places.add(Place.of(table));
        }
        for (SiteId site : sites) {
            for (Table table : SITE_INPUTS) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    places.add(new Place(table, site, partition));
                }
            }
        }
        return places;
    }

    /** The partitions that the orchestrator writes and reads back when it restores. */
    public static List<Place> outputs(List<SiteId> sites) {
        List<Place> places = new ArrayList<>();
        places.add(Place.of(Table.HEAD));
        places.add(Place.of(Table.CAMPAIGN_STATUS));
        places.add(Place.of(Table.REJECTED));
        for (SiteId site : sites) {
            places.add(Place.of(Table.STATUS, site));
            for (int partition = 0; partition < Table.COMMANDS.partitions(); partition++) {
                places.add(new Place(Table.COMMANDS, site, partition));
            }
        }
        return places;
    }

    public static boolean isInput(Table table) {
        return FLEET_INPUTS.contains(table) || SITE_INPUTS.contains(table);
    }

    /** Where a row of its own is written to. */
    public static Place placeOf(RowKey at) {
        return switch (at.key()) {
            case MachineKey machine -> Place.of(at.table(), machine);
            case ObjectKey object -> Place.of(at.table(), object.site());
            case SiteId site -> at.table().ofSite() ? Place.of(at.table(), site) : Place.of(at.table());
            default -> Place.of(at.table());
        };
    }
}
