package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.contenthash.CampaignContentHash;
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

/** Checks the invariants after every commit and every call of a world. */
public final class InvariantChecker {
    private final VirtualClockScheduler scheduler;
    private final ViolationLog violationLog;
    private final CommittedTableRows checkCommit;
    private final CommittedTableRows checkDecision = new CommittedTableRows();
    private final ActiveOrders activeOrders = new ActiveOrders();
    private final GrantedApprovals approvals = new GrantedApprovals();
    private final ReferenceFleetState rows = new ReferenceFleetState(checkDecision, activeOrders, approvals);
    private final OperatorOrderInvariants orders;
    private final StartLimitInvariants starts;
    private final StartGateInvariants gates;
    private final CampaignPolicyInvariants policies;
    private final WaveInvariants waves;
    private final MaintenanceWindowInvariants windows;
    private final ResolvedTargetSourceInvariants resolvedTargets;
    private final RolloutFairnessInvariants fairness;
    private final NodeCallInvariants calls;
    private final AttemptEndInvariants attemptEnds;
    private final CancellationInvariants cancellations;
    private final AttemptLimitInvariants attemptLimitInvariants;
    private final PreparationInvariants preparations;
    private final MachineStatusRemovalInvariants statusRemovals;
    private final TombstoneEffectInvariants tombstones;
    private final ReplicaStateInvariants replicaStateInvariants;
    private final LostTopicRecords lostTopicRecords = new LostTopicRecords();
    private Map<RowKey, RowChange> withheldRows = new LinkedHashMap<>();
    private long seq;
    private Instant lastDecided = Instant.EPOCH;
    private String journalHash = "";
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
        this.checkCommit = committed;
        RolloutMembers rolloutMembers = new RolloutMembers(rows);
        this.orders = new OperatorOrderInvariants(rows, violationLog, log, activeOrders);
        this.starts = new StartLimitInvariants(rows, violationLog, rolloutMembers);
        this.policies = new CampaignPolicyInvariants(rows, violationLog, rolloutMembers);
        this.gates = new StartGateInvariants(rows, violationLog, rolloutMembers, policies);
        this.waves = new WaveInvariants(rows, violationLog, rolloutMembers);
        this.windows = new MaintenanceWindowInvariants(rows, violationLog, rolloutMembers);
        this.resolvedTargets = new ResolvedTargetSourceInvariants(rows, violationLog);
        this.fairness = new RolloutFairnessInvariants(rows, violationLog, rolloutMembers, windows, policies);
        this.calls = new NodeCallInvariants(fleet, violationLog, workers);
        this.attemptEnds = new AttemptEndInvariants(fleet, violationLog);
        this.cancellations = new CancellationInvariants(rows, violationLog);
        this.attemptLimitInvariants = new AttemptLimitInvariants(rows, violationLog);
        this.preparations = new PreparationInvariants(rows, violationLog);
        this.statusRemovals = new MachineStatusRemovalInvariants(rows, violationLog);
        this.tombstones = new TombstoneEffectInvariants(rows, violationLog);
        this.replicaStateInvariants =
                new ReplicaStateInvariants(log, sites, chance, violationLog, orchestrators, comparisons);
        log.onCommit(this::checkCommit);
        log.onLoss(tablePartition -> {
            lostTopicRecords.recordsLost(tablePartition);
            calls.recordsLost(tablePartition, scheduler.now());
        });
        ledger.addListener(call -> calls.checkCall(ledger, call));
    }

    public long attempts() {
        return attempts;
    }

    /** The hash of the journal; equal hashes show equal runs. */
    public String journalHash() {
        return journalHash;
    }

    private void checkCommit(SimProducer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note) {
        if (note instanceof CommitCheckContext commit) {
            DecisionBatch batch = commit.batch();
            rereadAdoptedSites(commit.readSites(), isTakeOver(batch));
            if (isTakeOver(batch)) {
                dropWithheldRows();
            }
            rows.setReadSites(commit.readSites());
            for (Decision decision : batch.decisions()) {
                checkDecision(decision);
            }
            checkDecision.put(batch.head());
            batch.siteHeads().values().forEach(checkDecision::put);
            orders.checkCommit(batch);
            if (batch.isNothingDue()) {
                requireNoCallWhileStopped();
                starts.checkBudgetBreaches();
                orders.checkRetries();
            }
            journalHash = batch.head().journalHash();
            withheldRows = commit.withheldRows();
            replicaStateInvariants.check(commit, !lostTopicRecords.hasUnreadLoss());
        } else if (note instanceof CommitCheckContext.ReleasedSiteRows written) {
            written.rows().values().forEach(checkDecision::put);
            written.rows().keySet().forEach(withheldRows::remove);
            replicaStateInvariants.siteRowsReleased(written);
        } else {
            for (List<RowChange> changes : records.values()) {
                for (RowChange rowChange : changes) {
                    if (rowChange instanceof AttemptProgress progress) {
                        attemptEnds.applyReport(progress);
                        preparations.applyReport(progress);
                        // A report that is only written again because it was lost permits no call.
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

    /** Replaces the rows of adopted sites by what their tables contain now. */
    private void rereadAdoptedSites(Set<SiteId> sites, boolean fresh) {
        Predicate<RowKey> changed = lostTopicRecords.sitesRead(sites, fresh);
        if (changed != null) {
            List<TableRow> left = checkCommit.all().stream()
                    .filter(row -> !OrchestratorPartitions.isInput(row.rowKey().table()) && changed.test(row.rowKey()))
                    .toList();
            checkDecision.removeIf(changed);
            left.forEach(checkDecision::put);
            // The rejection keeps the last accepted row of an unreadable record.
            for (RejectedRecord rejectedRecord : checkDecision.all(RejectedRecord.class)) {
                if (rejectedRecord.lastAccepted() instanceof TableRow kept && changed.test(kept.rowKey())) {
                    checkDecision.put(kept);
                }
            }
            replicaStateInvariants.rowsReread(changed, left);
        }
    }

    /**
     * Discards the rows that a leader withheld for suspended sites: they are lost with it, and the tables are
     * authoritative.
     */
    private void dropWithheldRows() {
        withheldRows.keySet().removeIf(lostTopicRecords::isRowLost);
        rows.leaderLost(withheldRows, checkCommit);
        for (RowKey key : withheldRows.keySet()) {
            TableRow row = checkCommit.get(key);
            checkDecision.put(row == null ? new Tombstone(key) : row);
        }
        withheldRows = new LinkedHashMap<>();
    }

    private void checkDecision(Decision decision) {
        violationLog.require(
                decision.seq() == seq + 1,
                Invariant.NUMBERS,
                () -> "decision " + decision.seq() + " was committed after decision " + seq);
        violationLog.require(
                !decision.at().isBefore(lastDecided),
                Invariant.TIME,
                () -> "decision " + decision.seq() + " is dated before the decision before it");
        seq = decision.seq();
        lastDecided = decision.at();
        orders.checkDecision(decision);
        approvals.applyDecision(decision, checkDecision, violationLog);
        statusRemovals.check(decision);
        tombstones.check(decision);
        starts.checkDecision(decision);
        preparations.check(decision);
        for (RowChange rowChange : decision.changes()) {
            MachineKey key = rowChange.rowKey().key() instanceof MachineKey machine ? machine : null;
            MachineStatus before = key == null ? null : rows.status(key);
            if (rowChange instanceof MachineStatus status) {
                checkStatus(decision, status, before);
            }
            if (rowChange instanceof UpgradeIntent intent) {
                gates.checkIntent(intent, decision);
            }
            if (rowChange instanceof CampaignStatus campaign) {
                checkEdit(campaign, decision);
            }
            if (rowChange instanceof WaveStatus wave) {
                waves.check(wave, decision);
            }
            if (rowChange instanceof WorkerCommand.UpgradeMachine command && command.attemptId() == decision.seq()) {
                gates.checkDowngrade(command, decision);
                resolvedTargets.checkCommand(command, decision);
            }
            calls.applyChange(rowChange, before, scheduler.now());
        }
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof SiteHead head && isAdopted(head)) {
                replicaStateInvariants.adopted(head.site());
            }
            checkDecision.put(rowChange);
            if (rowChange instanceof RejectedRecord rejectedRecord) {
                checkRejection(rejectedRecord);
            }
        }
    }

    /** Requires that nothing that operators or sites may write is too large to be decided on. */
    private void checkRejection(RejectedRecord rejectedRecord) {
        violationLog.require(
                rejectedRecord.reason() != RejectionReason.TOO_LARGE,
                Invariant.TOO_LARGE,
                rejectedRecord.key() + " " + rejectedRecord.problem());
        if (!rejectedRecord.readable()) {
            keepLastAccepted(rejectedRecord);
        }
    }

    /** Requires that an edit with an expected content hash applies to that content. */
    private void checkEdit(CampaignStatus campaign, Decision decision) {
        CampaignStatus before = rows.campaign(new RolloutRef.CampaignRef(campaign.name(), campaign.uid()));
        resolvedTargets.checkResolvedTargets(campaign, before, decision);
        policies.checkAcceptance(campaign, before);
        String expectedHash = campaign.acceptedCampaign().spec().expectedContentHash();
        boolean same = before != null && campaign.acceptedCampaign().equals(before.acceptedCampaign());
        violationLog.require(
                same
                        || expectedHash == null
                        || (before != null
                                && expectedHash.equals(CampaignContentHash.compute(before.acceptedCampaign()))),
                Invariant.EDIT,
                "campaign " + campaign.name() + " accepted an edit of content " + expectedHash
                        + ", which was not its content");
    }

    /** Of a machine with an unreadable row only the last accepted row is known, and it does not count as ready. */
    private void keepLastAccepted(RejectedRecord rejectedRecord) {
        if (rejectedRecord.lastAccepted() instanceof MachineRow row) {
            checkDecision.put(row);
        }
    }

    private void checkStatus(Decision decision, MachineStatus status, @Nullable MachineStatus before) {
        if (before != null) {
            attemptEnds.check(before, status, decision.event() == DecisionEvent.ATTEMPT_VANISHED);
            attemptLimitInvariants.check(before, status, decision.at());
            cancellations.check(before, status);
        }
        waves.recordSuccesses(before, status, decision.at());
        starts.checkSoakAfterSuccess(before, status, decision.at());
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
                    () -> status.key() + " has attempt " + attempt + ", which was never admitted");
            return;
        }
        attempts++;
        MachineRow machine = rows.machine(status.key());
        if (machine == null) {
            violationLog.addViolation(Invariant.NO_MACHINE, status.key() + " started without an inventory row");
            return;
        }
        violationLog.require(
                before == null || before.attempt() == null,
                Invariant.NUMBERS,
                status.key() + " started while its attempt " + (before == null ? "" : before.attempt()) + " is open");
        starts.check(status, attempt, machine, decision.at());
        gates.check(status, attempt, machine, decision.at());
        waves.checkStart(status, machine, attempt.rolloutRef());
        windows.check(machine, attempt.rolloutRef(), decision);
        fairness.check(machine, attempt.rolloutRef(), decision.at());
    }

    /** Requires that no command may still call after an order has stopped it, once all due work is decided. */
    private void requireNoCallWhileStopped() {
        for (MachineStatus status : rows.statuses()) {
            UpgradeAttempt attempt = status.attempt();
            if (attempt == null
                    || attempt.cancelled()
                    || attempt.mayHaveCalled()
                    || rows.isSiteUnread(status.key().site())) {
                continue;
            }
            CampaignStatus campaign = rows.campaign(attempt.rolloutRef());
            boolean stopped = rows.frozen(status.key().site())
                    || (attempt.rolloutRef() instanceof RolloutRef.CampaignRef
                            && (campaign == null || campaign.state() != CampaignState.RUNNING));
            // If a bug prevents the decision to cancel, the machine is parked, and its command lease ends by itself.
            violationLog.require(
                    !stopped || rows.unreadableRecords().contains(status.rowKey()),
                    Invariant.CANCELLED,
                    () -> status.key() + " attempt " + attempt.id() + " may still call although it was stopped");
        }
    }

    /** Records a row that an operator has written in the leader's place. */
    public void recordManualWrite(RowChange rowChange) {
        replicaStateInvariants.recordManualWrite(rowChange);
    }
}
