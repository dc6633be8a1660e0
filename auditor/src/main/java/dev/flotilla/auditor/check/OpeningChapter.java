package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A chapter from which an audit may begin, for one that has not been there from the journal's first record: the rows of
 * its checkpoint are where it starts, and what was decided while they were written waits until all of them are there.
 */
final class OpeningChapter {
    /** A decision that waits, with when the broker took it. */
    record Held(JournalRecord decision, long append) {}

    private final long seq;
    private final Map<Place, Fact> rows = new LinkedHashMap<>();
    private final List<Held> held = new ArrayList<>();

    OpeningChapter(long seq) {
        this.seq = seq;
    }

    long seq() {
        return seq;
    }

    void rows(List<Fact> facts) {
        facts.forEach(fact -> rows.put(fact.place(), fact));
    }

    void hold(JournalRecord decision, long append) {
        held.add(new Held(decision, append));
    }

    List<Held> held() {
        return held;
    }

    /** Puts all rows; what is kept of an unreadable record's key comes last. */
    void put(Fleet fleet) {
        List<Fact> rejections = new ArrayList<>();
        for (Fact fact : rows.values()) {
            if (fact.place().topic().is("rejected")) {
                rejections.add(fact);
            } else {
                fleet.put(fact);
            }
        }
        rejections.forEach(fleet::put);
    }
}
