package dev.flotilla.simulator.check;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.Batch;
import dev.flotilla.core.term.Places;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.log.CommittedRows;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.world.Chance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * After a commit the leader's state, a standby's, and one restored from the tables in any order are the same. Inputs are
 * taken up to the offsets of the head rows, which never go back.
 */
final class SameRows {
    /** Not always all of them: asking one for its state makes it read on, and some are to stay behind. */
    private static final int STANDBYS_PERCENT = 50;

    private final LogReader inputs;
    private final Chance chance;
    private final Verdicts verdicts;
    private final List<Orchestrator> orchestrators;
    private final int everyNth;
    private final CommittedRows tables = new CommittedRows();
    private final Map<Place, Long> offsets = new LinkedHashMap<>();
    private long commits;

    SameRows(
            SimLog log,
            List<SiteId> sites,
            Chance chance,
            Verdicts verdicts,
            List<Orchestrator> orchestrators,
            int everyNth) {
        this.inputs = new LogReader(log);
        for (Place place : Places.inputs(sites)) {
            inputs.seek(place, 0);
        }
        this.chance = chance;
        this.verdicts = verdicts;
        this.orchestrators = orchestrators;
        this.everyNth = everyNth;
    }

    void check(Batch batch) {
        for (Fact fact : batch.rows().values()) {
            tables.put(fact);
        }
        advance(null, batch.head().offsets());
        for (SiteHead head : batch.siteHeads().values()) {
            advance(head.site(), head.offsets());
        }
        commits++;
        if (commits % everyNth == 0) {
            compare(batch);
        }
    }

    private void compare(Batch batch) {
        long leader = batch.state().hash();
        verdicts.require(
                leader == restored(),
                Invariant.SAME_ROWS,
                "at seq " + batch.head().seq() + " the state of leader " + batch.leader()
                        + " is not what a restore from the tables gives");
        for (Orchestrator orchestrator : orchestrators) {
            if (!orchestrator.process().name().equals(batch.leader()) && chance.percent(STANDBYS_PERCENT)) {
                Long standby = orchestrator.standbyHash();
                verdicts.require(
                        standby == null || standby == leader,
                        Invariant.SAME_ROWS,
                        "at seq " + batch.head().seq() + " the state of standby "
                                + orchestrator.process().name() + " differs from the leader's");
            }
        }
    }

    private void advance(@Nullable SiteId site, List<Offset> next) {
        for (Offset offset : next) {
            Place place = new Place(offset.table(), site, offset.partition());
            Long before = offsets.put(place, offset.next());
            verdicts.require(
                    before == null || before <= offset.next(),
                    Invariant.SAME_ROWS,
                    "the offset of " + place + " went back from " + before + " to " + offset.next());
            for (LogReader.Fetched fetched : inputs.upTo(place, offset.next())) {
                Fact fact = fetched.logged().fact();
                // A record that nobody can read takes the place of what was there.
                tables.put(fact != null ? fact : new Gone(fetched.logged().key()));
            }
        }
    }

    private long restored() {
        List<Row> shuffled = tables.all();
        chance.shuffle(shuffled);
        FleetState state = new FleetState();
        for (Row row : shuffled) {
            state.put(row);
        }
        return state.hash();
    }
}
