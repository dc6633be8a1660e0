package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.json.tree.JsonValue;

/** What simulated processes and their bridge say of themselves, with their nodes. */
final class SitesReport {
    private final SitesWorld world;
    private final Inlet inlet;
    private final Outbox outbox;

    SitesReport(SitesWorld world, Inlet inlet, Outbox outbox) {
        this.world = world;
        this.inlet = inlet;
        this.outbox = outbox;
    }

    JsonValue stats() {
        return world.nodes()
                .stats()
                .put("refusedRows", inlet.refused())
                .put("unwrittenRows", outbox.open())
                .build();
    }
}
