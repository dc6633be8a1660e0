package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the orchestrator obeys the orders. The orders are read from the log up to the offsets that the orchestrator
 * has decided on, and the campaign states in its rows are compared with them.
 */
final class OperatorOrderInvariants {
    private static final List<TablePartition> ORDERS = Stream.of(
                    Table.ORDERS, Table.APPROVALS, Table.FREEZES, Table.AUDITOR_ORDERS)
            .map(TablePartition::of)
            .toList();

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final SimLogReader log;

    /** The orders by the log, and by the decisions so far. */
    private final ActiveOrders ordersInLog = new ActiveOrders();

    private final ActiveOrders appliedOrders;

    /**
     * The decision that quarantined a machine for a campaign, and the last one that applied a campaign's retry order.
     */
    private final Map<String, Long> quarantined = new HashMap<>();

    private final Map<Long, Long> checkRetries = new HashMap<>();

    OperatorOrderInvariants(ReferenceFleetState rows, ViolationLog violationLog, SimKafkaLog log, ActiveOrders taken) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.log = new SimLogReader(log);
        ORDERS.forEach(tablePartition -> this.log.seek(tablePartition, 0));
        this.appliedOrders = taken;
    }

    /** Checks a decision before its row changes are put. */
    void checkDecision(Decision decision) {
        boolean rejected = decision.event() == DecisionEvent.REJECTED;
        for (RowChange rowChange : decision.changes()) {
            appliedOrders.applyOrder(rowChange);
            Long uid = rowChange instanceof OperatorOrder order ? order.campaignUid() : null;
            violationLog.require(
                    rejected || !(rowChange instanceof OperatorOrder order) || isAllowedInTable(order),
                    Invariant.ORDER_AUTHORITY,
                    () -> rowChange.rowKey() + " was accepted although writers of its table may not write it");
            if (!rejected
                    && uid != null
                    && ((OperatorOrder) rowChange).key() instanceof OperatorOrderKey.RetryQuarantined) {
                checkRetries.put(uid, decision.seq());
            }
        }
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof CampaignStatus status) {
                checkStateChange(decision, status);
            } else if (rowChange instanceof MachineStatus status) {
                checkEntries(decision, status);
            }
        }
    }

    /** Checks the state after a commit. */
    void checkCommit(DecisionBatch batch) {
        for (PartitionOffset offset : batch.head().offsets()) {
            TablePartition tablePartition = TablePartition.of(offset.table());
            if (ORDERS.contains(tablePartition)) {
                log.upTo(tablePartition, offset.nextOffset())
                        .forEach(fetchedRecord ->
                                ordersInLog.applyOrder(fetchedRecord.logged().rowChange()));
            }
        }
        ordersInLog
                .freezesInEffect()
                .forEach(at -> violationLog.require(
                        appliedOrders.isInEffect(at),
                        Invariant.FREEZE,
                        () -> at + " was ordered but is not in effect"));
        for (CampaignStatus campaign : rows.campaigns()) {
            OperatorOrder.OrderVerb verb = ordersInLog.state(campaign.name(), campaign.uid());
            boolean stopped = verb == OperatorOrder.OrderVerb.PAUSE || verb == OperatorOrder.OrderVerb.ABORT;
            violationLog.require(
                    !stopped || campaign.state() != CampaignState.RUNNING,
                    Invariant.CAMPAIGN_ORDER,
                    () -> "campaign " + campaign.name() + " is running, but its newest order is " + verb);
            violationLog.require(
                    verb != OperatorOrder.OrderVerb.ABORT || campaign.state().isOver(),
                    Invariant.CAMPAIGN_ORDER,
                    () -> "campaign " + campaign.name() + " is "
                            + campaign.state().label() + ", but it was aborted");
        }
    }

    /**
     * Requires that no machine stays quarantined from before the last retry order of its campaign, once all due work is
     * decided. Exempt are machines that do not exist, are unreadable, opted out or in flight.
     */
    void checkRetries() {
        for (MachineStatus status : rows.statuses()) {
            for (RolloutEntry entry : status.entries()) {
                if (entry.outcome() == MachineOutcome.QUARANTINED && mustBeRetried(status)) {
                    checkRetry(status, entry);
                }
            }
        }
    }

    private boolean mustBeRetried(MachineStatus status) {
        MachineRow row = rows.machine(status.key());
        return row != null
                && row.uid().equals(status.uid())
                && !row.optOut()
                && status.attempt() == null
                && !rows.isSiteUnread(status.key().site())
                && !rows.unreadableRecords().contains(row.rowKey())
                && !rows.unreadableRecords().contains(status.rowKey());
    }

    private void checkRetry(MachineStatus status, RolloutEntry entry) {
        CampaignStatus campaign = rows.campaign(entry.rolloutRef());
        long since = quarantined.getOrDefault(entryId(status, entry.rolloutRef()), Long.MAX_VALUE);
        violationLog.require(
                campaign == null || campaign.state().isOver() || checkRetries.getOrDefault(campaign.uid(), 0L) < since,
                Invariant.RETRY,
                status.key() + " was quarantined by decision " + since + " and is not retried, although "
                        + entry.rolloutRef() + " has a later retry order");
    }

    private static String entryId(MachineStatus status, RolloutRef rolloutRef) {
        return status.key() + " " + status.uid() + " " + rolloutRef;
    }

    /** Whether those who may write to an order's table may write this order; an ACL covers topics, not keys. */
    private static boolean isAllowedInTable(OperatorOrder order) {
        return switch (order.table()) {
            case APPROVALS -> order.verb() == OperatorOrder.OrderVerb.APPROVE;
            case FREEZES ->
                order.verb() == OperatorOrder.OrderVerb.FREEZE || order.verb() == OperatorOrder.OrderVerb.UNFREEZE;
            case AUDITOR_ORDERS -> order.verb() == OperatorOrder.OrderVerb.FREEZE;
            default ->
                order.verb() != OperatorOrder.OrderVerb.APPROVE
                        && order.verb() != OperatorOrder.OrderVerb.FREEZE
                        && order.verb() != OperatorOrder.OrderVerb.UNFREEZE;
        };
    }

    /**
     * Requires that a campaign's state changes only by an order about it, its completion, its removal, or its failure
     * budget.
     */
    private void checkStateChange(Decision decision, CampaignStatus now) {
        for (CampaignStatus namesake : rows.campaigns()) {
            violationLog.require(
                    !namesake.name().equals(now.name())
                            || namesake.uid() == now.uid()
                            || namesake.state().isOver(),
                    Invariant.PAUSE,
                    "campaign " + now.name() + " started again while it was "
                            + namesake.state().label());
        }
        CampaignStatus before = rows.campaign(new RolloutRef.CampaignRef(now.name(), now.uid()));
        if (before == null || before.state() == now.state()) {
            return;
        }
        OperatorOrder order = order(decision, now.name());
        boolean right = switch (now.state()) {
            case COMPLETED -> true;
            case RUNNING -> isFor(order, now, OperatorOrder.OrderVerb.RUN);
            case PAUSED -> order == null || isFor(order, now, OperatorOrder.OrderVerb.PAUSE);
            case ABORTED ->
                order == null ? isRemoved(decision, now.name()) : isFor(order, now, OperatorOrder.OrderVerb.ABORT);
        };
        boolean paused = before.state() == CampaignState.PAUSED
                || appliedOrders.state(now.name(), now.uid()) == OperatorOrder.OrderVerb.PAUSE;
        violationLog.require(
                now.state() != CampaignState.ABORTED || order != null || !paused,
                Invariant.PAUSE,
                "campaign " + now.name() + " was aborted by its removal while it was paused");
        violationLog.require(
                right,
                Invariant.CAMPAIGN_ORDER,
                "campaign " + now.name() + " became " + now.state().label() + " without an order about it");
    }

    private static boolean isFor(@Nullable OperatorOrder order, CampaignStatus campaign, OperatorOrder.OrderVerb verb) {
        Long uid = order == null ? null : order.campaignUid();
        return order != null && order.verb() == verb && uid != null && uid == campaign.uid();
    }

    private static @Nullable OperatorOrder order(Decision decision, CampaignName campaign) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof OperatorOrder order
                    && order.key().equals(new OperatorOrderKey.SetCampaignState(campaign))) {
                return order;
            }
        }
        return null;
    }

    private static boolean isRemoved(Decision decision, CampaignName campaign) {
        return decision.changes().stream()
                .anyMatch(rowChange -> rowChange instanceof Tombstone
                        && rowChange.rowKey().table() == Table.CAMPAIGNS
                        && rowChange.rowKey().key().equals(campaign));
    }

    /**
     * Requires that a quarantine ends only by a later retry order of its own campaign or a skip, and that a skipped
     * machine stays skipped.
     */
    private void checkEntries(Decision decision, MachineStatus now) {
        MachineStatus before = rows.status(now.key());
        for (RolloutEntry entry : now.entries()) {
            if (!(entry.rolloutRef() instanceof RolloutRef.CampaignRef campaign)) {
                continue;
            }
            String place = entryId(now, campaign);
            RolloutEntry known = before == null || !before.uid().equals(now.uid())
                    ? null
                    : ReferenceFleetState.entry(before, campaign);
            MachineOutcome was = known == null ? MachineOutcome.OPEN : known.outcome();
            if (entry.outcome() == MachineOutcome.QUARANTINED && was != MachineOutcome.QUARANTINED) {
                quarantined.put(place, decision.seq());
            }
            if (entry.outcome() == MachineOutcome.OPEN && was == MachineOutcome.QUARANTINED) {
                long order = checkRetries.getOrDefault(campaign.uid(), 0L);
                long since = quarantined.getOrDefault(place, 0L);
                violationLog.require(
                        order > since,
                        Invariant.RETRY,
                        now.key() + " was quarantined by decision " + since
                                + " and is retried; the last retry order is decision " + order);
            }
            violationLog.require(
                    was != MachineOutcome.SKIPPED
                            || entry.outcome() == MachineOutcome.SKIPPED
                            || entry.outcome().isAtTarget(),
                    Invariant.SKIP,
                    () -> now.key() + " was skipped and is now " + entry.outcome());
        }
    }
}
