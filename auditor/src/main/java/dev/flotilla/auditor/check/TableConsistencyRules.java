package dev.flotilla.auditor.check;

import dev.flotilla.auditor.json.JsonHash;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
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
final class TableConsistencyRules {
    private static final int FACTS_KEPT = 64;
    private static final long TOMBSTONE = 0;
    private static final String BEFORE = "rows from before the base";
    private static final String LOST = "rows that were lost with the leader that kept them back";

    /** What a table has shown, or the journal has decided, of one key under one number. */
    private record RowVersion(long seq, long print) {}

    private static final class OfKey {
        private long shown = -1;
        private final Deque<RowVersion> decided = new ArrayDeque<>();
        private final List<RowVersion> early = new ArrayList<>();
        private boolean forgetful;
    }

    private final AuditFindings auditFindings;
    private final Map<RowKey, OfKey> keys = new HashMap<>();
    /** Keys whose newest fact no row has shown yet, with when that was first missed. */
    private final Map<RowKey, Long> unshown = new LinkedHashMap<>();

    private final Set<RowKey> early = new HashSet<>();

    /** Sites that are set aside, by name. */
    private final Set<String> aside = new HashSet<>();

    private long journalSeq;
    private long skipUpTo;
    private boolean startChecks;

    TableConsistencyRules(AuditFindings auditFindings) {
        this.auditFindings = auditFindings;
    }

    /** Decisions up to this one were not compared. */
    void skipUpTo(long seq) {
        skipUpTo = seq;
        journalSeq = Math.max(journalSeq, seq);
    }

    void startChecks() {
        startChecks = true;
    }

    private static long print(@Nullable JsonValue jsonValue) {
        return jsonValue == null ? TOMBSTONE : JsonHash.hashOf(jsonValue);
    }

    /** A row of one of the orchestrator's tables was read. */
    void checkRow(RowKey rowKey, @Nullable Long seq, @Nullable JsonValue jsonValue, String coordinates) {
        if (seq == null) {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE,
                    rowKey + " at " + coordinates + " has no seq: it is not the orchestrator's, and workers act on it");
            return;
        }
        OfKey key = keys.computeIfAbsent(rowKey, absent -> new OfKey());
        auditFindings.require(
                seq >= key.shown,
                AuditInvariant.ZOMBIE,
                rowKey + " at " + coordinates + " is of seq " + seq + ", and the table had " + key.shown + " already");
        if (seq < key.shown) {
            return;
        }
        key.shown = seq;
        RowVersion row = new RowVersion(seq, print(jsonValue));
        RowVersion fact = checkDecision(key, seq);
        if (fact != null) {
            compare(rowKey, fact, row);
        } else if (seq > journalSeq) {
            key.early.add(row);
            early.add(rowKey);
        } else if (seq <= skipUpTo || key.forgetful) {
            auditFindings.reportUnverified(BEFORE);
        } else {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE,
                    rowKey + " at " + coordinates + " says it is of decision " + seq + ", which wrote no such row");
        }
        shown(rowKey, key);
    }

    private static @Nullable RowVersion checkDecision(OfKey key, long seq) {
        for (RowVersion rowVersion : key.decided) {
            if (rowVersion.seq() == seq) {
                return rowVersion;
            }
        }
        return null;
    }

    private void shown(RowKey rowKey, OfKey key) {
        key.decided.removeIf(rowVersion -> rowVersion.seq() <= key.shown);
        if (key.decided.isEmpty()) {
            unshown.remove(rowKey);
        }
    }

    private void compare(RowKey rowKey, RowVersion fact, RowVersion row) {
        auditFindings.require(
                fact.print() == row.print(),
                AuditInvariant.ZOMBIE,
                rowKey + " says something else at seq " + row.seq() + " than the journal decided");
    }

    void checkDecision(JournalRecord decision) {
        journalSeq = decision.seq();
        sites(decision);
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isInput() || rowKey.topic().isTable("head")) {
                continue;
            }
            OfKey key = keys.computeIfAbsent(rowKey, absent -> new OfKey());
            RowVersion rowVersion = new RowVersion(decision.seq(), print(rowChange.json()));
            key.decided.removeIf(older -> older.seq() == rowVersion.seq());
            key.decided.add(rowVersion);
            unshown.put(rowKey, Long.MIN_VALUE);
            if (key.decided.size() > FACTS_KEPT) {
                key.decided.remove();
                key.forgetful = true;
            }
        }
        for (RowChange rowChange : decision.changes()) {
            OfKey key = keys.get(rowChange.key());
            if (key != null) {
                matchEarly(rowChange.key(), key);
            }
        }
    }

    private void sites(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof SiteHead head && head.unreachable()) {
                aside.add(head.site());
            } else if (rowChange.row() instanceof SiteHead head && aside.remove(head.site())) {
                unshown.replaceAll(
                        (rowKey, since) -> head.site().equals(rowKey.topic().site()) ? Long.MIN_VALUE : since);
            }
        }
        if (decision.event().equals(JournalRecord.LEADER_ELECTED)
                && unshown.keySet().removeIf(this::isKeptBack)) {
            auditFindings.reportUnverified(LOST);
        }
    }

    private boolean isKeptBack(RowKey rowKey) {
        String site = rowKey.topic().site();
        return site != null && aside.contains(site);
    }

    private void matchEarly(RowKey rowKey, OfKey key) {
        key.early.removeIf(row -> {
            RowVersion fact = checkDecision(key, row.seq());
            if (fact != null) {
                compare(rowKey, fact, row);
            }
            return fact != null;
        });
        if (key.early.isEmpty()) {
            early.remove(rowKey);
        }
        shown(rowKey, key);
    }

    void caughtUp(long now) {
        for (RowKey rowKey : List.copyOf(early)) {
            OfKey key = keys.get(rowKey);
            if (key == null) {
                continue;
            }
            for (RowVersion row : List.copyOf(key.early)) {
                if (row.seq() <= skipUpTo) {
                    key.early.remove(row);
                    auditFindings.reportUnverified(BEFORE);
                } else if (row.seq() <= journalSeq) {
                    key.early.remove(row);
                    auditFindings.reportViolation(
                            AuditInvariant.ZOMBIE,
                            rowKey + " says it is of decision " + row.seq() + ", which wrote no such row");
                }
            }
            if (key.early.isEmpty()) {
                early.remove(rowKey);
            }
        }
        for (Map.Entry<RowKey, Long> each : List.copyOf(unshown.entrySet())) {
            if (isKeptBack(each.getKey())) {
                continue;
            }
            if (each.getValue() == Long.MIN_VALUE) {
                unshown.put(each.getKey(), now);
            } else if (now - each.getValue() >= ExpectedRecords.GRACE) {
                unshown.remove(each.getKey());
                missing(each.getKey());
            }
        }
    }

    private void missing(RowKey rowKey) {
        OfKey key = keys.get(rowKey);
        RowVersion newest = key == null ? null : key.decided.peekLast();
        if (newest == null) {
            return;
        }
        if (!startChecks && newest.print() == TOMBSTONE) {
            auditFindings.reportUnverified("tombstones that compaction may have taken");
            return;
        }
        auditFindings.reportViolation(
                AuditInvariant.ZOMBIE, rowKey + " does not show what decision " + newest.seq() + " says it wrote");
    }

    boolean isSettled() {
        return early.isEmpty() && unshown.keySet().stream().allMatch(this::isKeptBack);
    }
}
