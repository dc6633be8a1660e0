package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.SiteStatus;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rows that tell sites which local paths the policies allow, and which of them name others. */
final class SiteBoard {
    private final Inventory inventory;
    private final Map<Scope, Policy> policies;
    private final TreeSet<SiteId> touched = new TreeSet<>(Comparator.comparing(SiteId::name));

    SiteBoard(Inventory inventory, Map<Scope, Policy> policies) {
        this.inventory = inventory;
        this.policies = policies;
    }

    /** A site's row or the policies for it are new. */
    void touch(SiteId site) {
        touched.add(site);
    }

    /** The first row that names other local paths than the policies allow; null for none. */
    @Nullable
    SiteStatus stale() {
        while (!touched.isEmpty()) {
            SiteId first = touched.first();
            SiteStatus told = inventory.site(first).status;
            if (told != null && !told.localPaths().equals(allowed(first).localPaths())) {
                return told;
            }
            touched.remove(first);
        }
        return null;
    }

    private Policy.IntentRule allowed(SiteId site) {
        return IntentsRollout.rule(policies.get(Fleet.FLEET), policies.get(site));
    }
}
