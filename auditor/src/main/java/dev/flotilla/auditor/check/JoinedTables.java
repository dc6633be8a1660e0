package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.auditor.wire.SiteHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows as they stand at one decision, for an auditor that joins when the journal's beginning is gone: the newest row
 * of each key, of inputs the newest that was decided on. The journal's facts are whole rows too, so whatever is read of
 * it meanwhile is put over what the tables show.
 */
final class JoinedTables {
    private record Numbered(long seq, Fact fact) {}

    private record Placed(int partition, long offset, Fact fact) {}

    private final Map<Place, Numbered> outputs = new HashMap<>();
    private final Map<Place, Fact> accepted = new HashMap<>();
    private final Map<Place, List<Placed>> inputs = new HashMap<>();
    private final Map<String, Long> next = new HashMap<>();
    private long newest;

    void output(Fact fact, long seq) {
        newest = Math.max(newest, seq);
        put(fact, seq);
        if (fact.row() instanceof FleetHead head) {
            head.offsets().forEach((partition, offset) -> next.put("/" + partition, offset));
        } else if (fact.row() instanceof SiteHead head) {
            head.offsets().forEach((partition, offset) -> next.put(head.site() + "/" + partition, offset));
        }
    }

    void input(Fact fact, RawRecord at) {
        List<Placed> versions = inputs.computeIfAbsent(fact.place(), absent -> new ArrayList<>());
        versions.add(new Placed(at.partition(), at.offset(), fact));
        while (versions.size() > 1 && isDecided(versions.get(1), fact.place())) {
            versions.remove(0);
        }
    }

    void decided(long seq, List<Fact> facts) {
        for (Fact fact : facts) {
            if (fact.place().topic().isInput()) {
                accepted.put(fact.place(), fact);
            } else if (!fact.place().topic().is("head")) {
                put(fact, seq);
            }
        }
    }

    private void put(Fact fact, long seq) {
        Numbered before = outputs.get(fact.place());
        if (before == null || before.seq() <= seq) {
            outputs.put(fact.place(), new Numbered(seq, fact));
        }
    }

    /** Whether the journal has been read up to everything that the tables show. */
    boolean isReady(long journalSeq) {
        return newest <= journalSeq;
    }

    private boolean isDecided(Placed version, Place place) {
        String partition = place.topic().site() + "/" + place.topic().table() + "/" + version.partition();
        return version.offset() < next.getOrDefault(partition, 0L);
    }

    /** Puts all rows; says of how many keys nothing certain is known. */
    int build(Fleet fleet) {
        int unknown = 0;
        for (Map.Entry<Place, List<Placed>> each : inputs.entrySet()) {
            Fact fact = accepted.containsKey(each.getKey()) ? null : newestDecided(each.getKey(), each.getValue());
            if (fact != null) {
                fleet.put(fact);
            } else if (!accepted.containsKey(each.getKey())) {
                unknown++;
            }
        }
        accepted.values().forEach(fleet::put);
        List<Fact> rejections = new ArrayList<>();
        for (Numbered numbered : outputs.values()) {
            if (numbered.fact().place().topic().is("rejected")) {
                rejections.add(numbered.fact());
            } else {
                fleet.put(numbered.fact());
            }
        }
        rejections.forEach(fleet::put);
        return unknown;
    }

    private @Nullable Fact newestDecided(Place place, List<Placed> versions) {
        Fact found = null;
        for (Placed version : versions) {
            found = isDecided(version, place) ? version.fact() : found;
        }
        return found;
    }

    /** The open attempts' commands are needed to judge what workers say. */
    List<Fact> commands() {
        List<Fact> commands = new ArrayList<>();
        for (Numbered numbered : outputs.values()) {
            if (numbered.fact().place().topic().is("commands")) {
                commands.add(numbered.fact());
            }
        }
        return commands;
    }
}
