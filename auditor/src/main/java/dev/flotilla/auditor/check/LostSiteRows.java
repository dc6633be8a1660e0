package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.SiteHead;
import dev.flotilla.auditor.wire.TableRow;
import dev.flotilla.auditor.wire.TopicName;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows that the journal decided and that later leaders do not know: those that a leader withheld for a suspended site
 * and that were lost with it, and those of topics that lost records before an operator adopted them. Decisions are
 * checked on the rows that their leader found.
 */
final class LostSiteRows {
    /** A decided row, and the row that its table has if it is withheld. */
    private record WithheldRow(long seq, RowChange rowChange, RowChange shown) {}

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;
    private final AttemptHistories attemptHistories;
    private final TableConsistencyRules tables;
    /** The newest rows of suspended sites, and of all sites those that may belong to the transaction that is read. */
    private final Map<RowKey, WithheldRow> withheld = new LinkedHashMap<>();

    /** Withheld rows whose leader has ended; a table may show one later, because topics are read in parallel. */
    private final Map<RowKey, WithheldRow> lost = new HashMap<>();

    /** The tables that had lost records, of sites whose topics were adopted and that are still suspended. */
    private final Map<String, List<String>> adoptedTables = new HashMap<>();

    private long time;

    LostSiteRows(
            FleetTables fleetTables,
            AuditFindings auditFindings,
            AttemptHistories attemptHistories,
            TableConsistencyRules tables) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
        this.attemptHistories = attemptHistories;
        this.tables = tables;
    }

    /** Makes the rows those that the decision's leader knows. */
    void restoreRowsBefore(JournalRecord decision) {
        if (decision.time() != time) {
            time = decision.time();
            withheld.keySet()
                    .removeIf(rowKey -> !fleetTables.isSuspended(rowKey.topic().site()));
        }
        if (decision.event().equals(JournalRecord.LEADER_ELECTED)) {
            Map<RowKey, WithheldRow> ended = new LinkedHashMap<>(withheld);
            withheld.clear();
            ended.forEach((rowKey, row) -> {
                if (!tables.hasShown(rowKey, row.seq())) {
                    lost.put(rowKey, row);
                    fleetTables.put(row.shown());
                    reopenAttempt(row.shown());
                }
            });
        }
    }

    /** Its end, or the revocation of its command, was decided and is unknown to everybody now. */
    private void reopenAttempt(RowChange shown) {
        UpgradeAttempt attempt = shown.row() instanceof MachineStatus status ? status.attempt() : null;
        if (attempt != null) {
            attemptHistories.reopenHistory(attempt.id(), attempt.cancelled());
        }
    }

    /** Records the rows that a decision replaces, and the sites that it adopts; its changes are not applied yet. */
    void recordChanges(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            RowKey rowKey = rowChange.key();
            if (rowChange.row() instanceof SiteHead head) {
                recordAdoption(fleetTables.siteHead(head.site()), head);
            } else if (rowKey.isMachine() && !rowKey.topic().isInput()) {
                WithheldRow earlier = withheld.get(rowKey);
                lost.remove(rowKey);
                withheld.put(
                        rowKey,
                        new WithheldRow(
                                decision.seq(), rowChange, earlier == null ? newestRow(rowKey) : earlier.shown()));
            }
        }
    }

    private RowChange newestRow(RowKey rowKey) {
        TableRow tableRow =
                rowKey.topic().isTable("status") ? fleetTables.status(rowKey.object()) : fleetTables.command(rowKey);
        return new RowChange(rowKey, null, tableRow);
    }

    private void recordAdoption(@Nullable SiteHead before, SiteHead head) {
        if (before == null || Objects.equals(before.adoptOrderId(), head.adoptOrderId())) {
            return;
        }
        adoptedTables.computeIfAbsent(head.site(), absent -> new ArrayList<>()).addAll(before.lostTables());
        if (before.lostTables().contains("status") && !head.writtenOff()) {
            for (String machine : fleetTables.machinesWithStatus(head.site())) {
                MachineStatus status = fleetTables.status(machine);
                UpgradeAttempt attempt = status == null ? null : status.attempt();
                auditFindings.require(
                        attempt == null || attempt.id() < head.writtenOffBefore(),
                        AuditInvariant.NOTHING_LOST,
                        machine + " has an attempt in flight that is forgotten, because its site's status table is"
                                + " adopted without a write-off");
            }
        }
    }

    /** Called when the changes of a decision are applied: a resumed site's withheld rows are written, its tables read. */
    void resumeSites(JournalRecord decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange.row() instanceof SiteHead head && !head.unreachable()) {
                List<String> adopted = adoptedTables.remove(head.site());
                if (adopted != null) {
                    forgetRows(head.site(), adopted.contains("status"));
                }
                withheld.keySet().removeIf(rowKey -> rowKey.topic().site().equals(head.site()));
            }
        }
    }

    private void forgetRows(String site, boolean statuses) {
        fleetTables.removeInputs(site);
        if (!statuses) {
            return;
        }
        TopicName topicName = new TopicName("status", site);
        for (String machine : fleetTables.machinesWithStatus(site)) {
            RowKey rowKey = RowKey.ofMachine(topicName, machine);
            if (!withheld.containsKey(rowKey)) {
                fleetTables.put(new RowChange(rowKey, null, null));
                auditFindings.reportUnverified("statuses of machines that were lost with their topic");
            }
        }
    }

    /** A table shows the row of a decision: if it counted as lost, its leader had written it before it ended. */
    void recordShownRow(RowKey rowKey, long seq) {
        WithheldRow row = lost.get(rowKey);
        if (row != null && row.seq() == seq) {
            lost.remove(rowKey);
            fleetTables.put(row.rowChange());
        }
    }
}
