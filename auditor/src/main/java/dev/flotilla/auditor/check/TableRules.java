package dev.flotilla.auditor.check;

import dev.flotilla.auditor.json.Fingerprint;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.SiteHead;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 9: what the orchestrator's tables say is what the journal decided. Workers and watchers act on tables; a row
 * that no decision wrote is somebody else's, and one with an older number than its key had already is a zombie's.
 *
 * <p>A leader keeps back the rows of a site that is set aside, and writes them when the site returns. Until then they need not
 * show, and never if another leader took over meanwhile: that one decides again from the rows that it finds.
 */
final class TableRules {
    private static final int FACTS_KEPT = 64;
    private static final long TOMBSTONE = 0;
    private static final String BEFORE = "rows from before the base";
    private static final String LOST = "rows that were lost with the leader that kept them back";

    /** What a table has shown, or the journal has decided, of one key under one number. */
    private record Version(long seq, long print) {}

    private static final class OfKey {
        private long shown = -1;
        private final Deque<Version> decided = new ArrayDeque<>();
        private final List<Version> early = new ArrayList<>();
        private boolean forgetful;
    }

    private final Findings findings;
    private final Map<Place, OfKey> keys = new HashMap<>();
    /** Keys whose newest fact no row has shown yet, with when that was first missed. */
    private final Map<Place, Long> unshown = new LinkedHashMap<>();

    private final Set<Place> early = new HashSet<>();

    /** Sites that are set aside, by name. */
    private final Set<String> aside = new HashSet<>();

    private long journalSeq;
    private long base;
    private boolean live;

    TableRules(Findings findings) {
        this.findings = findings;
    }

    /** Decisions up to this one were not compared. */
    void base(long seq) {
        base = seq;
        journalSeq = Math.max(journalSeq, seq);
    }

    void live() {
        live = true;
    }

    private static long print(@Nullable Json json) {
        return json == null ? TOMBSTONE : Fingerprint.of(json);
    }

    /** A row of one of the orchestrator's tables was read. */
    void shows(Place place, @Nullable Long seq, @Nullable Json json, String coordinates) {
        if (seq == null) {
            findings.broken(
                    Invariant.ZOMBIE,
                    place + " at " + coordinates + " has no seq: it is not the orchestrator's, and workers act on it");
            return;
        }
        OfKey key = keys.computeIfAbsent(place, absent -> new OfKey());
        findings.require(
                seq >= key.shown,
                Invariant.ZOMBIE,
                place + " at " + coordinates + " is of seq " + seq + ", and the table had " + key.shown + " already");
        if (seq < key.shown) {
            return;
        }
        key.shown = seq;
        Version row = new Version(seq, print(json));
        Version fact = decided(key, seq);
        if (fact != null) {
            compare(place, fact, row);
        } else if (seq > journalSeq) {
            key.early.add(row);
            early.add(place);
        } else if (seq <= base || key.forgetful) {
            findings.unverified(BEFORE);
        } else {
            findings.broken(
                    Invariant.ZOMBIE,
                    place + " at " + coordinates + " says it is of decision " + seq + ", which wrote no such row");
        }
        shown(place, key);
    }

    private static @Nullable Version decided(OfKey key, long seq) {
        for (Version version : key.decided) {
            if (version.seq() == seq) {
                return version;
            }
        }
        return null;
    }

    private void shown(Place place, OfKey key) {
        key.decided.removeIf(version -> version.seq() <= key.shown);
        if (key.decided.isEmpty()) {
            unshown.remove(place);
        }
    }

    private void compare(Place place, Version fact, Version row) {
        findings.require(
                fact.print() == row.print(),
                Invariant.ZOMBIE,
                place + " says something else at seq " + row.seq() + " than the journal decided");
    }

    void decided(JournalRecord decision) {
        journalSeq = decision.seq();
        sites(decision);
        for (Fact fact : decision.facts()) {
            Place place = fact.place();
            if (place.topic().isInput() || place.topic().is("head")) {
                continue;
            }
            OfKey key = keys.computeIfAbsent(place, absent -> new OfKey());
            Version version = new Version(decision.seq(), print(fact.json()));
            key.decided.removeIf(older -> older.seq() == version.seq());
            key.decided.add(version);
            unshown.put(place, Long.MIN_VALUE);
            if (key.decided.size() > FACTS_KEPT) {
                key.decided.remove();
                key.forgetful = true;
            }
        }
        for (Fact fact : decision.facts()) {
            OfKey key = keys.get(fact.place());
            if (key != null) {
                matchEarly(fact.place(), key);
            }
        }
    }

    private void sites(JournalRecord decision) {
        for (Fact fact : decision.facts()) {
            if (fact.row() instanceof SiteHead head && head.unreachable()) {
                aside.add(head.site());
            } else if (fact.row() instanceof SiteHead head && aside.remove(head.site())) {
                unshown.replaceAll(
                        (place, since) -> head.site().equals(place.topic().site()) ? Long.MIN_VALUE : since);
            }
        }
        if (decision.event().equals(JournalRecord.TOOK_OVER) && unshown.keySet().removeIf(this::isKeptBack)) {
            findings.unverified(LOST);
        }
    }

    private boolean isKeptBack(Place place) {
        String site = place.topic().site();
        return site != null && aside.contains(site);
    }

    private void matchEarly(Place place, OfKey key) {
        key.early.removeIf(row -> {
            Version fact = decided(key, row.seq());
            if (fact != null) {
                compare(place, fact, row);
            }
            return fact != null;
        });
        if (key.early.isEmpty()) {
            early.remove(place);
        }
        shown(place, key);
    }

    void caughtUp(long now) {
        for (Place place : List.copyOf(early)) {
            OfKey key = keys.get(place);
            if (key == null) {
                continue;
            }
            for (Version row : List.copyOf(key.early)) {
                if (row.seq() <= base) {
                    key.early.remove(row);
                    findings.unverified(BEFORE);
                } else if (row.seq() <= journalSeq) {
                    key.early.remove(row);
                    findings.broken(
                            Invariant.ZOMBIE,
                            place + " says it is of decision " + row.seq() + ", which wrote no such row");
                }
            }
            if (key.early.isEmpty()) {
                early.remove(place);
            }
        }
        for (Map.Entry<Place, Long> each : List.copyOf(unshown.entrySet())) {
            if (isKeptBack(each.getKey())) {
                continue;
            }
            if (each.getValue() == Long.MIN_VALUE) {
                unshown.put(each.getKey(), now);
            } else if (now - each.getValue() >= Awaited.GRACE) {
                unshown.remove(each.getKey());
                missing(each.getKey());
            }
        }
    }

    private void missing(Place place) {
        OfKey key = keys.get(place);
        Version newest = key == null ? null : key.decided.peekLast();
        if (newest == null) {
            return;
        }
        if (!live && newest.print() == TOMBSTONE) {
            findings.unverified("tombstones that compaction may have taken");
            return;
        }
        findings.broken(Invariant.ZOMBIE, place + " does not show what decision " + newest.seq() + " says it wrote");
    }

    boolean isSettled() {
        return early.isEmpty() && unshown.keySet().stream().allMatch(this::isKeptBack);
    }
}
