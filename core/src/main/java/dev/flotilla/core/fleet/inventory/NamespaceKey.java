package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;

/** A namespace of a site. */
record NamespaceKey(SiteId site, String namespace) {
    static NamespaceKey of(MachineKey key) {
        return new NamespaceKey(key.site(), key.namespace());
    }
}
