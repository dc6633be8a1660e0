package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.leader.Commit;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.log.CommittedRows;
import dev.flotilla.simulator.log.Producer;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks at every commit and every call of a world. */
public final class Checker {
    private final Scheduler scheduler;
    private final Verdicts verdicts;
    private final CommittedRows committed;
    private final CommittedRows decided = new CommittedRows();
    private final OrderBook book = new OrderBook();
    private final ApprovalBook approvals = new ApprovalBook();
    private final Recount rows = new Recount(decided, book, approvals);
    private final OrderRules orders;
    private final StartRules starts;
    private final GateRules gates;
    private final MandateRules mandates;
    private final WaveRules waves;
    private final WindowRules windows;
    private final TeacherRules teachers;
    private final TurnRules turns;
    private final CallRules calls;
    private final EndRules ends;
    private final AttemptRules attemptRules;
    private final HistoryRules histories;
    private final TombstoneRules tombstones;
    private final SameRows sameRows;
    private final LostTopics lostTopics = new LostTopics();
    private final Ledger ledger;
    private Map<RowKey, RowChange> kept = new LinkedHashMap<>();
    private long seq;
    private Instant lastDecided = Instant.EPOCH;
    private String chain = "";
    private long attempts;

    public Checker(
            Scheduler scheduler,
            Verdicts verdicts,
            SimLog log,
            CommittedRows committed,
            SimFleet fleet,
            Ledger ledger,
            Chance chance,
            List<SiteId> sites,
            List<SimProcess> workers,
            List<Orchestrator> orchestrators,
            Comparisons comparisons) {
        this.scheduler = scheduler;
        this.verdicts = verdicts;
        this.ledger = ledger;
        this.committed = committed;
        Members members = new Members(rows);
        this.orders = new OrderRules(rows, verdicts, log, book);
        this.starts = new StartRules(rows, verdicts, members);
        this.mandates = new MandateRules(rows, verdicts, members);
        this.gates = new GateRules(rows, verdicts, members, mandates);
        this.waves = new WaveRules(rows, verdicts, members);
        this.windows = new WindowRules(rows, verdicts, members);
        this.teachers = new TeacherRules(rows, verdicts);
        this.turns = new TurnRules(rows, verdicts, members, windows, mandates);
        this.calls = new CallRules(fleet, verdicts, workers);
        this.ends = new EndRules(fleet, verdicts);
        this.attemptRules = new AttemptRules(rows, verdicts);
        this.histories = new HistoryRules(rows, verdicts);
        this.tombstones = new TombstoneRules(rows, verdicts);
        this.sameRows = new SameRows(log, sites, chance, verdicts, orchestrators, comparisons);
        log.onCommit(this::committed);
        log.onLoss(tablePartition -> {
            lostTopics.lost(tablePartition);
            calls.lost(tablePartition, scheduler.now());
        });
        ledger.listen(call -> calls.called(ledger, call));
    }

    public long attempts() {
        return attempts;
    }

    /** The journal's hash: equal ones tell of equal runs. */
    public String chain() {
        return chain;
    }

    public long seq() {
        return seq;
    }

    private void committed(Producer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note) {
        if (note instanceof Commit commit) {
            DecisionBatch batch = commit.batch();
            readAnew(commit.read(), isTakeOver(batch));
            if (isTakeOver(batch)) {
                forgetKeptRows();
            }
            rows.decidedKnowing(commit.read());
            for (Decision decision : batch.decisions()) {
                decided(decision);
            }
            decided.put(batch.head());
            batch.siteHeads().values().forEach(decided::put);
            orders.committed(batch);
            if (batch.isNothingDue()) {
                nothingCallsWhileStopped();
                starts.breached();
                orders.retried();
            }
            chain = batch.head().journalHash();
            kept = commit.kept();
            sameRows.check(commit, !lostTopics.any());
        } else if (note instanceof Commit.Kept written) {
            written.rows().values().forEach(decided::put);
            written.rows().keySet().forEach(kept::remove);
            sameRows.written(written);
        } else {
            for (List<RowChange> facts : records.values()) {
                for (RowChange rowChange : facts) {
                    if (rowChange instanceof AttemptProgress progress) {
                        ends.said(progress);
                        // What is only said again, since it was lost, gives nobody leave to call.
                        if (note != null) {
                            calls.said(progress, scheduler.now());
                        }
                    }
                }
            }
        }
    }

    private static boolean isTakeOver(DecisionBatch batch) {
        return !batch.decisions().isEmpty() && batch.decisions().get(0).event() == DecisionEvent.LEADER_ELECTED;
    }

    private boolean isAdopted(SiteHead head) {
        return lostTopics.isAdopted(rows.siteHead(head.site()), head, rows.isUnread(head.site()));
    }

    /** What sites hold that were adopted is what their tables say now. */
    private void readAnew(Set<SiteId> sites, boolean fresh) {
        Predicate<RowKey> changed = lostTopics.readAnew(sites, fresh);
        if (changed != null) {
            List<TableRow> left = committed.all().stream()
                    .filter(row -> !OrchestratorPartitions.isInput(row.rowKey().table()) && changed.test(row.rowKey()))
                    .toList();
            decided.removeIf(changed);
            left.forEach(decided::put);
            // Of what nobody can read the rejection keeps what was accepted.
            for (RejectedRecord rejectedRecord : decided.all(RejectedRecord.class)) {
                if (rejectedRecord.lastAccepted() instanceof TableRow kept && changed.test(kept.rowKey())) {
                    decided.put(kept);
                }
            }
            sameRows.readAnew(changed, left);
        }
    }

    /** What a leader kept back for sites that were away is lost with it: there the tables say what stands. */
    private void forgetKeptRows() {
        kept.keySet().removeIf(lostTopics::holds);
        rows.lost(kept, committed);
        for (RowKey key : kept.keySet()) {
            TableRow row = committed.get(key);
            decided.put(row == null ? new Tombstone(key) : row);
        }
        kept = new LinkedHashMap<>();
    }

    private void decided(Decision decision) {
        verdicts.require(
                decision.seq() == seq + 1,
                Invariant.NUMBERS,
                "decision " + decision.seq() + " was committed after " + seq);
        verdicts.require(
                !decision.at().isBefore(lastDecided),
                Invariant.TIME,
                "decision " + decision.seq() + " goes back in time");
        seq = decision.seq();
        lastDecided = decision.at();
        orders.decided(decision);
        approvals.decided(decision, decided, verdicts);
        histories.check(decision);
        tombstones.check(decision);
        starts.decided(decision);
        for (RowChange rowChange : decision.changes()) {
            MachineKey key = rowChange.rowKey().key() instanceof MachineKey machine ? machine : null;
            MachineStatus before = key == null ? null : rows.status(key);
            if (rowChange instanceof MachineStatus status) {
                status(decision, status, before);
            }
            if (rowChange instanceof UpgradeIntent intent) {
                gates.asked(intent, decision);
            }
            if (rowChange instanceof CampaignStatus campaign) {
                edited(campaign, decision);
            }
            if (rowChange instanceof WaveStatus wave) {
                waves.check(wave, decision);
            }
            if (rowChange instanceof WorkerCommand.UpgradeMachine command && command.attemptId() == decision.seq()) {
                gates.downgrade(command, decision);
                teachers.commands(command, decision);
            }
            calls.committed(rowChange, before, scheduler.now());
        }
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof SiteHead head && isAdopted(head)) {
                sameRows.adopted(head.site());
            }
            decided.put(rowChange);
            if (rowChange instanceof RejectedRecord rejectedRecord) {
                rejected(rejectedRecord);
            }
        }
    }

    /** Nothing that people or sites may write is more than can be decided on. */
    private void rejected(RejectedRecord rejectedRecord) {
        verdicts.require(
                rejectedRecord.reason() != RejectionReason.TOO_LARGE,
                Invariant.TOO_LARGE,
                rejectedRecord.key() + " " + rejectedRecord.problem());
        if (!rejectedRecord.readable()) {
            unreadable(rejectedRecord);
        }
    }

    /** An edit that says what it is of is of what was there. */
    private void edited(CampaignStatus campaign, Decision decision) {
        CampaignStatus before = rows.campaign(new RolloutRef.CampaignRef(campaign.name(), campaign.uid()));
        teachers.learns(campaign, before, decision);
        mandates.accepted(campaign, before);
        String basedOn = campaign.acceptedCampaign().spec().constraints().expectedContentHash();
        boolean same = before != null && campaign.acceptedCampaign().equals(before.acceptedCampaign());
        verdicts.require(
                same || basedOn == null || (before != null && basedOn.equals(CampaignContentHash.compute(before.acceptedCampaign()))),
                Invariant.EDIT,
                "campaign " + campaign.name() + " took an edit of " + basedOn + ", which it was not at");
    }

    /** Of a machine whose row cannot be read only what the rejection keeps is known, and it does not count as ready. */
    private void unreadable(RejectedRecord rejectedRecord) {
        if (rejectedRecord.lastAccepted() instanceof MachineRow row) {
            decided.put(row);
        }
    }

    private void status(Decision decision, MachineStatus status, @Nullable MachineStatus before) {
        if (before != null) {
            ends.check(before, status, decision.event() == DecisionEvent.ATTEMPT_VANISHED);
            attemptRules.check(before, status, decision.at());
        }
        waves.status(before, status, decision.at());
        starts.settles(before, status, decision.at());
        if (status.lastFailure() != null) {
            Secrets.check(status.lastFailure().text(), verdicts);
        }
        UpgradeAttempt attempt = status.attempt();
        boolean begins = attempt != null && attempt.id() == decision.seq();
        if (attempt == null || !begins) {
            verdicts.require(
                    attempt == null
                            || (before != null
                                    && before.attempt() != null
                                    && before.attempt().id() == attempt.id()),
                    Invariant.NUMBERS,
                    status.key() + " has attempt " + attempt + ", which was never admitted");
            return;
        }
        attempts++;
        MachineRow machine = rows.machine(status.key());
        if (machine == null) {
            verdicts.broken(Invariant.NO_MACHINE, status.key() + " started: a machine without an inventory row");
            return;
        }
        verdicts.require(
                before == null || before.attempt() == null,
                Invariant.NUMBERS,
                status.key() + " started while its attempt " + (before == null ? "" : before.attempt()) + " is open");
        starts.check(status, attempt, machine, decision.at());
        gates.check(status, attempt, machine, decision.at());
        waves.start(status, machine, attempt.rolloutRef());
        windows.check(machine, attempt.rolloutRef(), decision);
        turns.check(machine, attempt.rolloutRef(), decision.at());
    }

    /** Where all that was due is decided, no command is out that an order has stopped. */
    private void nothingCallsWhileStopped() {
        for (MachineStatus status : rows.statuses()) {
            UpgradeAttempt attempt = status.attempt();
            if (attempt == null
                    || attempt.cancelled()
                    || attempt.mayHaveCalled()
                    || rows.isUnread(status.key().site())
                    // A bug keeps the cancellation from being decided: it is parked, and the command ends by itself.
                    || rows.isUnreadable(status.rowKey())) {
                continue;
            }
            CampaignStatus campaign = rows.campaign(attempt.rolloutRef());
            boolean stopped = rows.frozen(status.key().site())
                    || (attempt.rolloutRef() instanceof RolloutRef.CampaignRef
                            && (campaign == null || campaign.state() != CampaignState.RUNNING));
            verdicts.require(
                    !stopped,
                    Invariant.TAKEN_BACK,
                    status.key() + " attempt " + attempt.id() + " may still call while it is stopped");
        }
    }

    /** Somebody has written a row that else only a leader writes. */
    public void byHand(RowChange rowChange) {
        sameRows.byHand(rowChange);
    }

    public Ledger ledger() {
        return ledger;
    }
}
