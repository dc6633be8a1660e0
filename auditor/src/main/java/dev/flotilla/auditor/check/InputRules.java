package dev.flotilla.auditor.check;

import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.Row;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the journal says was accepted is what somebody wrote. Compared by what the auditor itself reads in both: the
 * journal has the row as the orchestrator encodes it, with what was left out filled in.
 */
final class InputRules {
    /** So many versions of a key are kept for a journal that is behind. */
    private static final int VERSIONS = 8;

    private static final class OfKey {
        private final Deque<Optional<Row>> versions = new ArrayDeque<>();
        private boolean forgetful;
    }

    private final Findings findings;
    private final Awaited awaited;
    private final Map<Place, OfKey> keys = new HashMap<>();
    private boolean live;

    InputRules(Findings findings, Awaited awaited) {
        this.findings = findings;
        this.awaited = awaited;
    }

    void live() {
        live = true;
    }

    /** A row of an input was read; null for a tombstone. */
    void stands(Place place, @Nullable Row row) {
        OfKey key = keys.computeIfAbsent(place, absent -> new OfKey());
        key.versions.add(Optional.ofNullable(row));
        if (key.versions.size() > VERSIONS) {
            key.versions.remove();
            key.forgetful = true;
        }
    }

    void decided(JournalRecord decision) {
        for (Fact fact : decision.facts()) {
            Place place = fact.place();
            if (place.topic().isInput()) {
                accepted(decision, place, fact.row());
            }
        }
    }

    private void accepted(JournalRecord decision, Place place, @Nullable Row row) {
        boolean seen = isSeen(place, row);
        if (!seen && !live) {
            findings.unverified("accepted inputs that compaction may have taken");
            return;
        }
        awaited.expect(
                Invariant.ZOMBIE,
                "decision " + decision.seq() + " accepts a row of " + place + " that nobody has written",
                decision.seq(),
                decision.time(),
                () -> isSeen(place, row),
                () -> {
                    OfKey key = keys.get(place);
                    return key != null && key.forgetful;
                });
    }

    private boolean isSeen(Place place, @Nullable Row row) {
        OfKey key = keys.get(place);
        return key != null && key.versions.contains(Optional.ofNullable(row));
    }
}
