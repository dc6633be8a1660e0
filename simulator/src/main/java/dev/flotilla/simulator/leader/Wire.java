package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.log.Place;

/** Topics and keys as they are written on the wire, which is how a record that cannot be read is known. */
final class Wire {
    private Wire() {}

    static String topic(Place place) {
        SiteId site = place.site();
        return "flotilla." + place.table().label() + (site == null ? "" : "." + site);
    }

    static String key(RowKey at) {
        Key key = at.key();
        return switch (key) {
            case MachineKey machine -> "machine/" + machine.namespace() + "/" + machine.name();
            case ClusterKey cluster -> "cluster/" + cluster.namespace() + "/" + cluster.name();
            case OwnerKey owner -> "owner/" + owner.kind().label() + "/" + owner.namespace() + "/" + owner.name();
            case SiteId site when at.table().ofSite() -> "site";
            default -> key.toString();
        };
    }
}
