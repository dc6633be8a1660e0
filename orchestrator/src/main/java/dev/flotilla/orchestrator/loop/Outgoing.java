package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.Batch;
import dev.flotilla.core.term.Places;
import dev.flotilla.core.term.Stamps;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.topic.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One transaction on its way: the decisions, in bytes, and whether another one still fits. */
final class Outgoing {
    /** A decision more may write so many rows, each in a partition of its own. */
    private static final int ROOM_FOR_ONE = 8;

    private final Bounds bounds;
    private final Stamps stamps;
    private final Batch batch;
    private final List<WireRecord> journal = new ArrayList<>();
    private final Set<Place> places = new HashSet<>();
    private int bytes;

    Outgoing(Bounds bounds, Stamps stamps, FleetState state, String leader) {
        this.bounds = bounds;
        this.stamps = stamps;
        this.batch = new Batch(state, leader);
    }

    void add(Decision decision) {
        String previous = stamps.chain();
        stamps.wrote(decision);
        batch.add(decision, previous);
        WireRecord record = Wire.encode(Batch.recordOf(decision, previous), decision.seq());
        stamps.chained(Chain.after(record));
        journal.add(record);
        bytes += Chain.size(record);
        for (Fact fact : decision.facts()) {
            if (!Places.isInput(fact.at().table())) {
                places.add(Places.placeOf(fact.at()));
            }
        }
    }

    boolean isEmpty() {
        return journal.isEmpty();
    }

    boolean hasRoom() {
        return batch.rows().size() + journal.size() + ROOM_FOR_ONE <= bounds.records()
                && bytes < bounds.bytes()
                && places.size() + ROOM_FOR_ONE <= bounds.partitions();
    }

    List<Decision> decisions() {
        return batch.decisions();
    }

    /** The head rows are stamped, and all of it is ready to be sent but what a site's topics cannot take now. */
    List<WireRecord> close(Withheld withheld) {
        stamps.stamp(batch);
        List<WireRecord> records = new ArrayList<>(batch.rows().size() + journal.size());
        for (Map.Entry<RowKey, Fact> row : batch.rows().entrySet()) {
            WireRecord record = Wire.encode(row.getValue(), batch.seq(row.getKey()));
            WireRecord placed = new WireRecord(
                    record.topic(),
                    Places.placeOf(row.getKey()).partition(),
                    record.key(),
                    record.value(),
                    record.headers());
            if (!withheld.takes(row.getKey(), placed)) {
                records.add(placed);
            }
        }
        records.addAll(journal);
        return records;
    }
}
