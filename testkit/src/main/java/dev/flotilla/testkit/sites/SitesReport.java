package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;

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

    Tree stats() {
        List<Tree> kills = new ArrayList<>();
        world.kills().done().forEach(kill -> kills.add(of(kill)));
        return world.nodes()
                .stats()
                .put("refusedRows", inlet.refused())
                .put("unwrittenRows", outbox.open())
                .put("kills", NodeBook.list(kills))
                .build();
    }

    static Tree of(SiteKills.Kill kill) {
        return new Obj.Builder()
                .put("what", kill.what())
                .put("process", kill.process())
                .put("atMillis", kill.at())
                .put("recoveredAtMillis", kill.recovered())
                .build();
    }
}
