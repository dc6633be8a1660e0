package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.leader.CommitCheckContext;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.log.CommittedTableRows;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Looks at every commit and every call of a world. */
public final class InvariantChecker {
    private final VirtualClockScheduler scheduler;
    private final ViolationLog violationLog;
    private final CommittedTableRows committed;
    private final CommittedTableRows decided = new CommittedTableRows();
    private final ActiveOrders book = new ActiveOrders();
    private final GrantedApprovals approvals = new GrantedApprovals();
    private final ReferenceFleetState rows = new ReferenceFleetState(decided, book, approvals);
    private final OperatorOrderInvariants orders;
    private final StartLimitInvariants starts;
    private final StartGateInvariants gates;
    private final CampaignPolicyInvariants mandates;
    private final WaveInvariants waves;
    private final MaintenanceWindowInvariants windows;
    private final ResolvedTargetSourceInvariants teachers;
    private final RolloutFairnessInvariants turns;
    private final NodeCallInvariants calls;
    private final AttemptEndInvariants ends;
    private final AttemptLimitInvariants attemptLimitInvariants;
    private final MachineStatusRemovalInvariants histories;
    private final TombstoneEffectInvariants tombstones;
    private final ReplicaStateInvariants replicaStateInvariants;
    private final LostTopicRecords lostTopicRecords = new LostTopicRecords();
    private final NodeCallLedger ledger;
    private Map<RowKey, RowChange> kept = new LinkedHashMap<>();
    private long seq;
    private Instant lastDecided = Instant.EPOCH;
    private String chain = "";
    private long attempts;

    public InvariantChecker(
            VirtualClockScheduler scheduler,
            ViolationLog violationLog,
            SimKafkaLog log,
            CommittedTableRows committed,
            SimFleet fleet,
            NodeCallLedger ledger,
            SeededRandom chance,
            List<SiteId> sites,
            List<SimProcess> workers,
            List<SimOrchestrator> orchestrators,
            StateComparisonIntervals comparisons) {
        this.scheduler = scheduler;
        this.violationLog = violationLog;
        this.ledger = ledger;
        this.committed = committed;
        RolloutMembers rolloutMembers = new RolloutMembers(rows);
        this.orders = new OperatorOrderInvariants(rows, violationLog, log, book);
        this.starts = new StartLimitInvariants(rows, violationLog, rolloutMembers);
        this.mandates = new CampaignPolicyInvariants(rows, violationLog, rolloutMembers);
        this.gates = new StartGateInvariants(rows, violationLog, rolloutMembers, mandates);
        this.waves = new WaveInvariants(rows, violationLog, rolloutMembers);
        this.windows = new MaintenanceWindowInvariants(rows, violationLog, rolloutMembers);
        this.teachers = new ResolvedTargetSourceInvariants(rows, violationLog);
        this.turns = new RolloutFairnessInvariants(rows, violationLog, rolloutMembers, windows, mandates);
        this.calls = new NodeCallInvariants(fleet, violationLog, workers);
        this.ends = new AttemptEndInvariants(fleet, violationLog);
        this.attemptLimitInvariants = new AttemptLimitInvariants(rows, violationLog);
        this.histories = new MachineStatusRemovalInvariants(rows, violationLog);
        this.tombstones = new TombstoneEffectInvariants(rows, violationLog);
        this.replicaStateInvariants =
                new ReplicaStateInvariants(log, sites, chance, violationLog, orchestrators, comparisons);
        log.onCommit(this::committed);
        log.onLoss(tablePartition -> {
            lostTopicRecords.recordsLost(tablePartition);
            calls.recordsLost(tablePartition, scheduler.now());
        });
        ledger.addListener(call -> calls.checkCall(ledger, call));
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

    private void committed(SimProducer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note) {
        if (note instanceof CommitCheckContext commit) {
            DecisionBatch batch = commit.batch();
            readAnew(commit.readSites(), isTakeOver(batch));
            if (isTakeOver(batch)) {
                forgetKeptRows();
            }
            rows.setReadSites(commit.readSites());
            for (Decision decision : batch.decisions()) {
                decided(decision);
            }
            decided.put(batch.head());
            batch.siteHeads().values().forEach(decided::put);
            orders.checkCommit(batch);
            if (batch.isNothingDue()) {
                nothingCallsWhileStopped();
                starts.checkBudgetBreaches();
                orders.checkRetries();
            }
            chain = batch.head().journalHash();
            kept = commit.withheldRows();
            replicaStateInvariants.check(commit, !lostTopicRecords.hasUnreadLoss());
        } else if (note instanceof CommitCheckContext.ReleasedSiteRows written) {
            written.rows().values().forEach(decided::put);
            written.rows().keySet().forEach(kept::remove);
            replicaStateInvariants.siteRowsReleased(written);
        } else {
            for (List<RowChange> facts : records.values()) {
                for (RowChange rowChange : facts) {
                    if (rowChange instanceof AttemptProgress progress) {
                        ends.applyReport(progress);
                        // What is only said again, since it was lost, gives nobody leave to call.
                        if (note != null) {
                            calls.applyReport(progress, scheduler.now());
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
        return lostTopicRecords.isAdopted(rows.siteHead(head.site()), head, rows.isSiteUnread(head.site()));
    }

    /** What sites hold that were adopted is what their tables say now. */
    private void readAnew(Set<SiteId> sites, boolean fresh) {
        Predicate<RowKey> changed = lostTopicRecords.readAnew(sites, fresh);
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
            replicaStateInvariants.readAnew(changed, left);
        }
    }

    /** What a leader kept back for sites that were away is lost with it: there the tables say what stands. */
    private void forgetKeptRows() {
        kept.keySet().removeIf(lostTopicRecords::isRowLost);
        rows.leaderLost(kept, committed);
        for (RowKey key : kept.keySet()) {
            TableRow row = committed.get(key);
            decided.put(row == null ? new Tombstone(key) : row);
        }
        kept = new LinkedHashMap<>();
    }

    private void decided(Decision decision) {
        violationLog.require(
                decision.seq() == seq + 1,
                Invariant.NUMBERS,
                "decision " + decision.seq() + " was committed after " + seq);
        violationLog.require(
                !decision.at().isBefore(lastDecided),
                Invariant.TIME,
                "decision " + decision.seq() + " goes back in time");
        seq = decision.seq();
        lastDecided = decision.at();
        orders.checkDecision(decision);
        approvals.applyDecision(decision, decided, violationLog);
        histories.check(decision);
        tombstones.check(decision);
        starts.checkDecision(decision);
        for (RowChange rowChange : decision.changes()) {
            MachineKey key = rowChange.rowKey().key() instanceof MachineKey machine ? machine : null;
            MachineStatus before = key == null ? null : rows.status(key);
            if (rowChange instanceof MachineStatus status) {
                status(decision, status, before);
            }
            if (rowChange instanceof UpgradeIntent intent) {
                gates.checkIntent(intent, decision);
            }
            if (rowChange instanceof CampaignStatus campaign) {
                edited(campaign, decision);
            }
            if (rowChange instanceof WaveStatus wave) {
                waves.check(wave, decision);
            }
            if (rowChange instanceof WorkerCommand.UpgradeMachine command && command.attemptId() == decision.seq()) {
                gates.downgrade(command, decision);
                teachers.checkCommand(command, decision);
            }
            calls.committed(rowChange, before, scheduler.now());
        }
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof SiteHead head && isAdopted(head)) {
                replicaStateInvariants.adopted(head.site());
            }
            decided.put(rowChange);
            if (rowChange instanceof RejectedRecord rejectedRecord) {
                rejected(rejectedRecord);
            }
        }
    }

    /** Nothing that people or sites may write is more than can be decided on. */
    private void rejected(RejectedRecord rejectedRecord) {
        violationLog.require(
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
        teachers.checkResolvedTargets(campaign, before, decision);
        mandates.checkAcceptance(campaign, before);
        String basedOn = campaign.acceptedCampaign().spec().constraints().expectedContentHash();
        boolean same = before != null && campaign.acceptedCampaign().equals(before.acceptedCampaign());
        violationLog.require(
                same
                        || basedOn == null
                        || (before != null && basedOn.equals(CampaignContentHash.compute(before.acceptedCampaign()))),
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
            attemptLimitInvariants.check(before, status, decision.at());
        }
        waves.status(before, status, decision.at());
        starts.settles(before, status, decision.at());
        if (status.lastFailure() != null) {
            SecretLeakInvariants.check(status.lastFailure().text(), violationLog);
        }
        UpgradeAttempt attempt = status.attempt();
        boolean begins = attempt != null && attempt.id() == decision.seq();
        if (attempt == null || !begins) {
            violationLog.require(
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
            violationLog.addViolation(
                    Invariant.NO_MACHINE, status.key() + " started: a machine without an inventory row");
            return;
        }
        violationLog.require(
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
                    || rows.isSiteUnread(status.key().site())
                    // A bug keeps the cancellation from being decided: it is parked, and the command ends by itself.
                    || rows.isUnreadable(status.rowKey())) {
                continue;
            }
            CampaignStatus campaign = rows.campaign(attempt.rolloutRef());
            boolean stopped = rows.frozen(status.key().site())
                    || (attempt.rolloutRef() instanceof RolloutRef.CampaignRef
                            && (campaign == null || campaign.state() != CampaignState.RUNNING));
            violationLog.require(
                    !stopped,
                    Invariant.TAKEN_BACK,
                    status.key() + " attempt " + attempt.id() + " may still call while it is stopped");
        }
    }

    /** Somebody has written a row that else only a leader writes. */
    public void byHand(RowChange rowChange) {
        replicaStateInvariants.byHand(rowChange);
    }

    public NodeCallLedger ledger() {
        return ledger;
    }
}
