package dev.flotilla.simulator.leader;

import dev.flotilla.core.Brain;
import dev.flotilla.core.Decision;
import dev.flotilla.core.Input;
import dev.flotilla.core.term.Cut;
import dev.flotilla.core.term.Places;
import dev.flotilla.core.term.SiteEar;
import dev.flotilla.core.term.Stamps;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.Producer;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The sites of a term: which it has read, which are set aside since their topics cannot be used, and what waits for them. */
final class TermSites {
    private final Orchestrator.Surroundings world;
    private final String leader;
    private final Brain brain;
    private final Follower tables;
    private final LogReader reader;
    private final Stamps stamps;
    private final SiteEar ear;
    private final KeptRows kept = new KeptRows();
    private final Set<SiteId> reachable = new LinkedHashSet<>();

    TermSites(
            Orchestrator.Surroundings world,
            String leader,
            Brain brain,
            Follower tables,
            LogReader reader,
            Stamps stamps,
            SiteEar ear) {
        this.world = world;
        this.leader = leader;
        this.brain = brain;
        this.tables = tables;
        this.reader = reader;
        this.stamps = stamps;
        this.ear = ear;
    }

    Set<SiteId> read() {
        return Set.copyOf(tables.sites());
    }

    KeptRows kept() {
        return kept;
    }

    /** Sets aside the sites that could not be read, and those that an earlier leader has set aside. */
    void begin(Instant now, Consumer<Decision> written) {
        for (SiteHead head : tables.siteHeads().values()) {
            SiteId site = head.site();
            if (!tables.sites().contains(site)) {
                kept.setAside(site);
                brain.take(new Input.SiteUnreachable(site, now), 0, written);
                if (!world.habits().knowsWhatItHasNotRead()) {
                    brain.state().markRead(site);
                }
            } else if (head.unreachableSince() != null) {
                kept.setAside(site);
                hold(site, true);
            }
        }
    }

    /** Whether the topics of a site can be used again, or for the first time. */
    boolean isBack(SiteId site) {
        return world.log().sites().usable(site)
                && (kept.isAside(site) || !tables.sites().contains(site));
    }

    /** Reads a site where that could not be done before, and sends the rows that were kept back for it. */
    Commit.Kept takeBack(SiteId site, Producer producer) {
        Map<RowKey, Fact> rows = kept.release(site);
        if (!tables.sites().contains(site)) {
            join(site, rows);
        }
        rows.forEach((key, fact) -> producer.send(Places.placeOf(key), fact));
        reachable.add(site);
        return new Commit.Kept(site, rows);
    }

    /** Reads all rows of a site but those decided since, and goes on with its inputs. */
    private void join(SiteId site, Map<RowKey, Fact> decided) {
        tables.join(site, stamps.head(), stamps.siteHeads());
        decided.values().forEach(brain.state()::put);
        for (Place place : Places.inputsOf(site)) {
            long from = Cut.decidedUpTo(stamps.head(), stamps.siteHeads(), place);
            reader.seek(place, from);
            stamps.begin(place, from);
        }
        ear.listen(site, stamps.siteHeads().get(site), world.scheduler().now());
    }

    /** Decides on sites whose topics cannot be used any more, or can again. Returns how many decisions there were. */
    int decide(Instant now, Consumer<Decision> written) {
        int taken = 0;
        for (SiteId site : world.sites()) {
            if (world.log().sites().noticedUnusable(site) && !kept.isAside(site)) {
                world.story().tell(leader, () -> "sets site " + site + " aside");
                kept.setAside(site);
                hold(site, true);
                taken += brain.take(new Input.SiteUnreachable(site, now), 0, written);
            }
        }
        for (SiteId site : reachable) {
            world.story().tell(leader, () -> "takes site " + site + " back");
            hold(site, false);
            taken += brain.take(new Input.SiteReachable(site, now), 0, written);
        }
        reachable.clear();
        return taken;
    }

    private void hold(SiteId site, boolean held) {
        Places.inputsOf(site).forEach(place -> reader.hold(place, held));
    }
}
