package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.Cut;
import dev.flotilla.core.term.Places;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.LogRecord;
import dev.flotilla.simulator.log.SimLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads tables into a state by put. Of the orchestrator's own tables it takes everything committed; of the inputs it
 * takes what has been decided on, which the head rows say, and leaves the rest to be polled.
 */
public final class Follower {
    private final FleetState state = new FleetState();
    private final SimLog log;
    private final LogReader reader;
    private final List<SiteId> sites;
    private final List<Place> inputs;
    private final List<Place> outputs;
    private final ShellHabits habits;
    private final Map<SiteId, SiteHead> siteHeads = new LinkedHashMap<>();
    private FleetHead head = FleetHead.NONE;

    public Follower(SimLog log, List<SiteId> sites, ShellHabits habits) {
        this.log = log;
        this.sites = List.copyOf(sites);
        this.inputs = Places.inputs(sites);
        this.outputs = Places.outputs(sites);
        this.habits = habits;
        this.reader = new LogReader(log, !habits.readsCommittedOnly());
    }

    public FleetState state() {
        return state;
    }

    FleetHead head() {
        return head;
    }

    Map<SiteId, SiteHead> siteHeads() {
        return siteHeads;
    }

    /** Takes in what there is. Transactions are taken whole: nothing is committed in the meantime. */
    public void follow() {
        for (Place place : outputs) {
            for (LogReader.Fetched fetched : reader.upTo(place, log.end(place))) {
                Fact fact = fetched.logged().fact();
                if (fact != null) {
                    heads(fact);
                    put(fact);
                }
            }
        }
        for (Place place : inputs) {
            newest(reader.upTo(place, decidedUpTo(place))).values().forEach(logged -> {
                Fact fact = logged.fact();
                if (fact != null) {
                    put(fact);
                }
            });
        }
        sites.forEach(state::markRead);
    }

    /** Of a key whose newest record nobody can read no row is taken: an older one may be compacted away or not. */
    private static Map<RowKey, LogRecord> newest(List<LogReader.Fetched> fetched) {
        Map<RowKey, LogRecord> newest = new LinkedHashMap<>();
        for (LogReader.Fetched one : fetched) {
            newest.put(one.logged().key(), one.logged());
        }
        return newest;
    }

    private void put(Fact fact) {
        if (fact.at().table() != habits.forgets()) {
            state.put(fact);
        }
    }

    void heads(Fact fact) {
        if (fact instanceof FleetHead next) {
            head = next;
        } else if (fact instanceof SiteHead next) {
            siteHeads.put(next.site(), next);
        }
    }

    /** The next offset of an input that has not been decided on, by the head rows. */
    long decidedUpTo(Place place) {
        return Cut.decidedUpTo(head, siteHeads, place);
    }
}
