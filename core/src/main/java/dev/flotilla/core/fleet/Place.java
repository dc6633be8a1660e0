package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;

/** A namespace of a site. */
record Place(SiteId site, String namespace) {
    static Place of(MachineKey key) {
        return new Place(key.site(), key.namespace());
    }
}
