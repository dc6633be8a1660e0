package dev.flotilla.core.intake;

import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;

/** Where an arrived record stands, in the words of {@code flotilla.rejected}. */
final class Coordinates {
    private static final String PREFIX = "flotilla.";

    private Coordinates() {}

    static RejectedKey of(Input.Arrived arrived) {
        RowKey at = arrived.fact().at();
        Key key = at.key();
        if (!at.table().ofSite()) {
            return new RejectedKey(PREFIX + at.table().label(), arrived.partition(), key.toString());
        }
        SiteId site = key instanceof ObjectKey object ? object.site() : (SiteId) key;
        return new RejectedKey(PREFIX + at.table().label() + "." + site, arrived.partition(), text(key));
    }

    private static String text(Key key) {
        return switch (key) {
            case MachineKey machine -> "machine/" + machine.namespace() + "/" + machine.name();
            case ClusterKey cluster -> "cluster/" + cluster.namespace() + "/" + cluster.name();
            case OwnerKey owner -> "owner/" + owner.kind().label() + "/" + owner.namespace() + "/" + owner.name();
            default -> "site";
        };
    }
}
