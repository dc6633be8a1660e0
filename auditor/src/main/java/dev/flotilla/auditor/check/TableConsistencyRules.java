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
 * Invariant 9: the orchestrator's tables have what the journal decided. Workers and watchers act on tables. A row that
 * no decision wrote comes from another writer, and a row with an older number than its key already had comes from a
 * fenced leader.
 *
 * <p>A leader withholds the rows of a suspended site and writes them when the site is resumed. Until then they need not
 * appear, and never if another leader was elected meanwhile: it decides again from the rows that it finds.
 */
final class TableConsistencyRules {
    private static final int MAX_DECIDED = 64;
    private static final long TOMBSTONE = 0;
    private static final String BEFORE_AUDIT = "rows from before the start of the audit";
    private static final String LOST = "withheld rows that were lost with their leader";

    /** A version of a key's row, as a table showed it or as the journal decided it, by decision number. */
    private record RowVersion(long seq, long hash) {}

    private static final class DecidedVersions {
        private long shown = -1;
        private final Deque<RowVersion> decided = new ArrayDeque<>();
        private final List<RowVersion> early = new ArrayList<>();
        private boolean hasForgotten;
    }

    private final AuditFindings auditFindings;
    private final Map<RowKey, DecidedVersions> keys = new HashMap<>();
    /** Keys whose newest decided row no table has shown yet, with the time since when it is missing. */
    private final Map<RowKey, Long> unshown = new LinkedHashMap<>();

    private final Set<RowKey> early = new HashSet<>();

    /** The names of suspended sites. */
    private final Set<String> suspendedSites = new HashSet<>();

    private long journalSeq;
    private long skipUpTo;
    private boolean startChecks;

    TableConsistencyRules(AuditFindings auditFindings) {
        this.auditFindings = auditFindings;
    }

    /** Decisions up to this one are not compared. */
    void skipUpTo(long seq) {
        skipUpTo = seq;
        journalSeq = Math.max(journalSeq, seq);
    }

    void startChecks() {
        startChecks = true;
    }

    private static long hash(@Nullable JsonValue jsonValue) {
        return jsonValue == null ? TOMBSTONE : JsonHash.hashOf(jsonValue);
    }

    /** Checks a row of one of the orchestrator's tables. */
    void checkRow(RowKey rowKey, @Nullable Long seq, @Nullable JsonValue jsonValue, String coordinates) {
        if (seq == null) {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE,
                    rowKey + " at " + coordinates
                            + " has no decision number: no orchestrator wrote it, and workers act on it");
            return;
        }
        DecidedVersions key = keys.computeIfAbsent(rowKey, absent -> new DecidedVersions());
        auditFindings.require(
                seq >= key.shown,
                AuditInvariant.ZOMBIE,
                rowKey + " at " + coordinates + " is of decision " + seq + ", but the table already had " + key.shown);
        if (seq < key.shown) {
            return;
        }
        key.shown = seq;
        RowVersion row = new RowVersion(seq, hash(jsonValue));
        RowVersion decided = checkDecision(key, seq);
        if (decided != null) {
            compare(rowKey, decided, row);
        } else if (seq > journalSeq) {
            key.early.add(row);
            early.add(rowKey);
        } else if (seq <= skipUpTo || key.hasForgotten) {
            auditFindings.reportUnverified(BEFORE_AUDIT);
        } else {
            auditFindings.reportViolation(
                    AuditInvariant.ZOMBIE,
                    rowKey + " at " + coordinates + " claims to be of decision " + seq + ", which wrote no such row");
        }
        markShown(rowKey, key);
    }

    private static @Nullable RowVersion checkDecision(DecidedVersions key, long seq) {
        for (RowVersion rowVersion : key.decided) {
            if (rowVersion.seq() == seq) {
                return rowVersion;
            }
        }
        return null;
    }

    private void markShown(RowKey rowKey, DecidedVersions key) {
        key.decided.removeIf(rowVersion -> rowVersion.seq() <= key.shown);
        if (key.decided.isEmpty()) {
            unshown.remove(rowKey);
        }
    }

    private void compare(RowKey rowKey, RowVersion decided, RowVersion row) {
        auditFindings.require(
                decided.hash() == row.hash(),
                AuditInvariant.ZOMBIE,
                rowKey + " differs at decision " + row.seq() + " from what the journal decided");
    }

    void checkDecision(JournalRecord decision) {
        journalSeq = decision.seq();
        updateSuspendedSites(decision);
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowKey.topic().isInput() || rowKey.topic().isTable("head")) {
                continue;
            }
            DecidedVersions key = keys.computeIfAbsent(rowKey, absent -> new DecidedVersions());
            RowVersion rowVersion = new RowVersion(decision.seq(), hash(rowChange.json()));
            key.decided.removeIf(older -> older.seq() == rowVersion.seq());
            key.decided.add(rowVersion);
            unshown.put(rowKey, Long.MIN_VALUE);
            if (key.decided.size() > MAX_DECIDED) {
                key.decided.remove();
                key.hasForgotten = true;
            }
        }
        for (RowChange rowChange : decision.changes()) {
            DecidedVersions key = keys.get(rowChange.key());
            if (key != null) {
                matchEarly(rowChange.key(), key);
            }
        }
    }

    private void updateSuspendedSites(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof SiteHead head && head.unreachable()) {
                suspendedSites.add(head.site());
            } else if (rowChange.row() instanceof SiteHead head && suspendedSites.remove(head.site())) {
                unshown.replaceAll(
                        (rowKey, since) -> head.site().equals(rowKey.topic().site()) ? Long.MIN_VALUE : since);
            }
        }
        if (decision.event().equals(JournalRecord.LEADER_ELECTED)
                && unshown.keySet().removeIf(this::isWithheld)) {
            auditFindings.reportUnverified(LOST);
        }
    }

    private boolean isWithheld(RowKey rowKey) {
        String site = rowKey.topic().site();
        return site != null && suspendedSites.contains(site);
    }

    private void matchEarly(RowKey rowKey, DecidedVersions key) {
        key.early.removeIf(row -> {
            RowVersion decided = checkDecision(key, row.seq());
            if (decided != null) {
                compare(rowKey, decided, row);
            }
            return decided != null;
        });
        if (key.early.isEmpty()) {
            early.remove(rowKey);
        }
        markShown(rowKey, key);
    }

    void caughtUp(long now) {
        for (RowKey rowKey : List.copyOf(early)) {
            DecidedVersions key = keys.get(rowKey);
            if (key == null) {
                continue;
            }
            for (RowVersion row : List.copyOf(key.early)) {
                if (row.seq() <= skipUpTo) {
                    key.early.remove(row);
                    auditFindings.reportUnverified(BEFORE_AUDIT);
                } else if (row.seq() <= journalSeq) {
                    key.early.remove(row);
                    auditFindings.reportViolation(
                            AuditInvariant.ZOMBIE,
                            rowKey + " claims to be of decision " + row.seq() + ", which wrote no such row");
                }
            }
            if (key.early.isEmpty()) {
                early.remove(rowKey);
            }
        }
        for (Map.Entry<RowKey, Long> entry : List.copyOf(unshown.entrySet())) {
            if (isWithheld(entry.getKey())) {
                continue;
            }
            if (entry.getValue() == Long.MIN_VALUE) {
                unshown.put(entry.getKey(), now);
            } else if (now - entry.getValue() >= ExpectedRecords.GRACE) {
                unshown.remove(entry.getKey());
                reportMissing(entry.getKey());
            }
        }
    }

    private void reportMissing(RowKey rowKey) {
        DecidedVersions key = keys.get(rowKey);
        RowVersion newest = key == null ? null : key.decided.peekLast();
        if (newest == null) {
            return;
        }
        if (!startChecks && newest.hash() == TOMBSTONE) {
            auditFindings.reportUnverified("tombstones that compaction may have removed");
            return;
        }
        auditFindings.reportViolation(
                AuditInvariant.ZOMBIE, rowKey + " does not show the row that decision " + newest.seq() + " wrote");
    }

    /** Whether the table has shown the row of a decision or a later one under a key. */
    boolean hasShown(RowKey rowKey, long seq) {
        DecidedVersions key = keys.get(rowKey);
        return key != null && key.shown >= seq;
    }

    boolean isSettled() {
        return early.isEmpty() && unshown.keySet().stream().allMatch(this::isWithheld);
    }
}
