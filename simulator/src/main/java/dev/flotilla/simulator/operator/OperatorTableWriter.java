package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.CommittedTableRows;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.world.Transcript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what operators write: policies and campaigns, of which it keeps the newest intended versions, and orders with
 * their ids.
 */
public final class OperatorTableWriter {
    private static final String OPERATOR = "operator";

    private final SimKafkaLog log;
    private final Transcript transcript;
    private final CommittedTableRows committed;
    private final Map<PolicyScope, UpgradePolicy> policies = new LinkedHashMap<>();
    private final Map<CampaignName, Campaign> campaigns = new LinkedHashMap<>();
    private final Map<RowKey, OperatorOrder> orders = new LinkedHashMap<>();
    private final Set<RowKey> unreadableKeys = new LinkedHashSet<>();
    private int nextOrder = 1;
    private boolean usesMaximumSizes;

    public OperatorTableWriter(SimKafkaLog log, Transcript transcript, CommittedTableRows committed) {
        this.log = log;
        this.transcript = transcript;
        this.committed = committed;
    }

    public CommittedTableRows committed() {
        return committed;
    }

    public Map<PolicyScope, UpgradePolicy> policies() {
        return policies;
    }

    public Map<CampaignName, Campaign> campaigns() {
        return campaigns;
    }

    /** Makes policies and campaigns as large as possible from now on. */
    public void useMaximumSizes() {
        usesMaximumSizes = true;
    }

    public void write(UpgradePolicy policy) {
        policies.put(policy.scope(), policy);
        transcript.append(
                OPERATOR,
                () -> "writes policy " + policy.scope() + ": cap " + policy.maxInFlight() + ", per site "
                        + policy.maxInFlightPerSite() + (policy.frozen() ? ", frozen" : ""));
        append(policy);
    }

    public void write(Campaign campaign) {
        campaigns.put(campaign.name(), campaign);
        transcript.append(
                OPERATOR,
                () -> "writes campaign " + campaign.name() + " to "
                        + campaign.spec().target().option());
        append(campaign);
    }

    private void append(UpgradePolicy policy) {
        log.append(TablePartition.of(Table.POLICIES), usesMaximumSizes ? MaximumSizeRows.policy(policy) : policy);
    }

    private void append(Campaign campaign) {
        log.append(
                TablePartition.of(Table.CAMPAIGNS), usesMaximumSizes ? MaximumSizeRows.campaign(campaign) : campaign);
    }

    public void remove(CampaignName name) {
        campaigns.remove(name);
        transcript.append(OPERATOR, () -> "removes campaign " + name);
        log.append(TablePartition.of(Table.CAMPAIGNS), new Tombstone(new RowKey(Table.CAMPAIGNS, name)));
    }

    /** Writes an unreadable record, as a faulty tool does. */
    public void writeUnreadableRecord(TablePartition tablePartition, RowKey key) {
        transcript.append(OPERATOR, () -> "writes an unreadable record to " + key);
        log.appendUnreadable(tablePartition, key);
        if (!key.table().isPerSite()) {
            unreadableKeys.add(key);
        }
    }

    /** Writes everything again as it was intended. */
    public void rewrite() {
        policies.values().forEach(this::append);
        campaigns.values().forEach(this::append);
        orders.values().forEach(order -> log.append(TablePartition.of(order.table()), order));
        repairUnreadableRecords();
    }

    /** Repairs unreadable records of keys that should have no row, as far as that is possible yet. */
    void repairUnreadableRecords() {
        unreadableKeys.removeIf(key -> !isIntended(key) && neutralize(key));
    }

    private boolean isIntended(RowKey key) {
        return orders.containsKey(key)
                || (key.key() instanceof PolicyScope scope && policies.containsKey(scope))
                || (key.key() instanceof CampaignName name && campaigns.containsKey(name));
    }

    /** Neutralizes a key that should have no row. Returns whether that was possible. */
    private boolean neutralize(RowKey key) {
        return switch (key.key()) {
            case OperatorOrderKey.FreezeFleet freeze -> writeUnfreeze(freeze, key.table());
            case OperatorOrderKey.FreezeSite freeze -> writeUnfreeze(freeze, key.table());
            case OperatorOrderKey.SetCampaignState state -> resumeCampaign(state);
            case SiteId site -> {
                write(new UpgradePolicy(site, null, null, false, null, null, null, null));
                yield true;
            }
            case FleetScope fleet -> false;
            default -> {
                tombstone(key);
                yield true;
            }
        };
    }

    /**
     * Writes an order in the table with the unreadable record, even if the order is rejected there, because it is
     * readable. The auditor's table only accepts a freeze, which is then lifted.
     */
    private boolean writeUnfreeze(OperatorOrderKey freeze, Table table) {
        if (table == Table.AUDITOR_ORDERS) {
            freezeAsAuditor();
            unfreeze(freeze);
        } else {
            write(new OperatorOrder(
                            freeze,
                            "order-" + nextOrder++,
                            OPERATOR,
                            "no freeze was meant",
                            null,
                            OperatorOrder.OrderVerb.UNFREEZE)
                    .withTable(table));
        }
        return true;
    }

    /** Resumes a campaign. Returns false if the campaign is not known yet; then it is repaired later. */
    private boolean resumeCampaign(OperatorOrderKey.SetCampaignState key) {
        CampaignStatus status = status(key.campaign());
        if (status != null && !status.state().isOver()) {
            order(key, OperatorOrder.OrderVerb.RUN, "no pause was meant", status.uid());
        }
        return status != null;
    }

    /** Writes a tombstone for an unreadable record, although that does not suffice. */
    void tombstone(RowKey key) {
        log.append(TablePartition.of(key.table()), new Tombstone(key));
    }

    /** The status of a campaign; null if the orchestrator has not accepted it. */
    public @Nullable CampaignStatus status(CampaignName name) {
        return committed.get(new RowKey(Table.CAMPAIGN_STATUS, name)) instanceof CampaignStatus status ? status : null;
    }

    /** Writes an order about a campaign, with its uid, if the campaign is known. */
    public void order(CampaignName campaign, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason) {
        CampaignStatus status = status(campaign);
        if (status != null) {
            order(key, verb, reason, status.uid());
        }
    }

    public void order(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason) {
        order(key, verb, reason, null);
    }

    /** Writes an order about a campaign with the id of the order before it, as if both belonged to one ticket. */
    void orderWithSameId(CampaignName campaign, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason) {
        CampaignStatus status = status(campaign);
        OperatorOrder before = orders.get(new RowKey(key.table(), key));
        if (status != null) {
            write(new OperatorOrder(
                    key, before == null ? "ticket" : before.id(), OPERATOR, reason, status.uid(), verb));
        }
    }

    /** Writes an order about an earlier campaign of the same name, which has no effect any more. */
    void orderForEarlierCampaign(
            CampaignName campaign, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason) {
        CampaignStatus status = status(campaign);
        if (status != null) {
            write(new OperatorOrder(key, "order-" + nextOrder++, OPERATOR, reason, status.uid() - 1, verb));
            orders.remove(new RowKey(key.table(), key));
        }
    }

    /** Writes an approval or a freeze to the table in which earlier versions expected it. */
    void writeToOrdersTable(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason) {
        OperatorOrder order = make(key, verb, reason);
        if (order != null) {
            write(order.withTable(Table.ORDERS));
        }
    }

    /** Freezes the fleet as the auditor, rightly or wrongly. */
    void freezeAsAuditor() {
        write(new OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(),
                        "auditor-" + nextOrder++,
                        OperatorOrder.AUDITOR,
                        "an invariant is violated",
                        null,
                        OperatorOrder.OrderVerb.FREEZE)
                .withTable(Table.AUDITOR_ORDERS));
    }

    /** Lifts a freeze in the auditor's name in the operators' table, which the auditor may not do. */
    void unfreezeAsAuditor(OperatorOrderKey key) {
        OperatorOrder current = orders.get(new RowKey(key.table(), key));
        write(new OperatorOrder(
                        key,
                        "auditor-" + nextOrder++,
                        OperatorOrder.AUDITOR,
                        "no invariant is violated",
                        null,
                        OperatorOrder.OrderVerb.UNFREEZE)
                .withLiftedFreezes(current == null ? List.of() : List.of(current.id())));
    }

    /** Removes an order from its topic. A freeze still needs an order to be lifted. */
    void withdraw(RowKey at) {
        if (!(at.key() instanceof OperatorOrderKey.FreezeFleet) && !(at.key() instanceof OperatorOrderKey.FreezeSite)) {
            orders.remove(at);
        }
        transcript.append(OPERATOR, () -> "removes the order " + at.key() + " from the topic");
        log.append(TablePartition.of(at.table()), new Tombstone(at));
    }

    /** The row keys of all orders. */
    List<RowKey> orders() {
        return List.copyOf(orders.keySet());
    }

    private void order(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason, @Nullable Long uid) {
        OperatorOrder order = make(key, verb, reason, uid);
        if (order != null) {
            write(order);
        }
    }

    private @Nullable OperatorOrder make(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason) {
        if (!(key instanceof OperatorOrderKey.CampaignOrder of)) {
            return make(key, verb, reason, null);
        }
        CampaignStatus status = status(of.campaign());
        return status == null ? null : make(key, verb, reason, status.uid());
    }

    /** Creates an order; null if there is nothing to approve. */
    private @Nullable OperatorOrder make(
            OperatorOrderKey key, OperatorOrder.OrderVerb verb, String reason, @Nullable Long uid) {
        CampaignStatus status = key instanceof OperatorOrderKey.CampaignOrder of ? status(of.campaign()) : null;
        String contentHash = status != null && key instanceof OperatorOrderKey.ApproveWave
                ? CampaignContentHash.compute(status.acceptedCampaign())
                : null;
        CampaignStatus other =
                status != null && key instanceof OperatorOrderKey.ApproveOverlap ? earlierOverlapping(status) : null;
        return other == null && key instanceof OperatorOrderKey.ApproveOverlap
                ? null
                : new OperatorOrder(
                        key,
                        "order-" + nextOrder++,
                        OPERATOR,
                        reason,
                        uid,
                        contentHash,
                        other == null ? null : other.uid(),
                        verb);
    }

    /**
     * The first campaign before another one that has a different target and is not over: the one that it may overlap
     * with.
     */
    @Nullable
    CampaignStatus earlierOverlapping(CampaignStatus later) {
        CampaignStatus first = null;
        for (CampaignStatus other : committed.all(CampaignStatus.class)) {
            boolean unequal = !other.acceptedCampaign()
                    .spec()
                    .target()
                    .option()
                    .equals(later.acceptedCampaign().spec().target().option());
            if (other.uid() < later.uid()
                    && unequal
                    && !other.state().isOver()
                    && (first == null || other.uid() < first.uid())) {
                first = other;
            }
        }
        return first;
    }

    private void write(OperatorOrder order) {
        OperatorOrderKey key = order.key();
        OperatorOrder.OrderVerb verb = order.verb();
        String reason = order.reason();
        orders.put(order.rowKey(), order);
        String where =
                order.table() == key.table() ? "" : " on " + order.table().label();
        transcript.append(OPERATOR, () -> "orders " + verb.label() + " (" + key + where + "): " + reason);
        log.append(TablePartition.of(order.table()), order);
    }

    /** Lifts every freeze of policies and orders. */
    public void unfreeze(Iterable<SiteId> sites) {
        for (UpgradePolicy policy : policies.values().toArray(new UpgradePolicy[0])) {
            if (policy.frozen()) {
                write(RandomPolicies.frozen(policy, false));
            }
        }
        unfreeze(new OperatorOrderKey.FreezeFleet());
        for (SiteId site : sites) {
            unfreeze(new OperatorOrderKey.FreezeSite(site));
        }
    }

    /** Lifts a freeze, and the freezes of the same key in other tables by their ids. */
    private void unfreeze(OperatorOrderKey key) {
        OperatorOrder own = orders.get(new RowKey(key.table(), key));
        List<String> lifts = new ArrayList<>();
        for (Table table : List.of(Table.AUDITOR_ORDERS, Table.ORDERS)) {
            OperatorOrder other = orders.get(new RowKey(table, key));
            if (other != null && other.verb() == OperatorOrder.OrderVerb.FREEZE) {
                lifts.add(other.id());
            }
        }
        boolean frozen = own != null && own.isFreeze();
        if (frozen || !(own == null ? List.of() : own.liftedFreezes()).containsAll(lifts)) {
            write(new OperatorOrder(
                            key,
                            "order-" + nextOrder++,
                            OPERATOR,
                            "the problem is fixed",
                            null,
                            OperatorOrder.OrderVerb.UNFREEZE)
                    .withLiftedFreezes(lifts));
        }
    }

    /** The fleet's policy as last intended. */
    public @Nullable UpgradePolicy fleetPolicy() {
        return policies.get(FleetScope.FLEET);
    }
}
