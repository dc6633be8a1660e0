package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.edition.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.topic.Table;
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

/** Where operators write: the newest policies and campaigns as they meant them, and orders with their ids. */
public final class OperatorTableWriter {
    private static final String WHO = "operator";

    private final SimKafkaLog log;
    private final Transcript transcript;
    private final CommittedTableRows committed;
    private final Map<PolicyScope, UpgradePolicy> policies = new LinkedHashMap<>();
    private final Map<CampaignName, Campaign> campaigns = new LinkedHashMap<>();
    private final Map<RowKey, OperatorOrder> orders = new LinkedHashMap<>();
    private final Set<RowKey> spoiled = new LinkedHashSet<>();
    private int nextOrder = 1;
    private boolean brimming;

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

    /** From now on policies and campaigns are as large as may be. */
    public void fillToTheBrim() {
        brimming = true;
    }

    public void write(UpgradePolicy policy) {
        policies.put(policy.scope(), policy);
        transcript.append(
                WHO,
                () -> "writes policy " + policy.scope() + ": cap " + policy.maxInFlight() + ", per site "
                        + policy.maxInFlightPerSite() + (policy.frozen() ? ", frozen" : ""));
        append(policy);
    }

    public void write(Campaign campaign) {
        campaigns.put(campaign.name(), campaign);
        transcript.append(
                WHO,
                () -> "writes campaign " + campaign.name() + " to "
                        + campaign.spec().target());
        append(campaign);
    }

    private void append(UpgradePolicy policy) {
        log.append(TablePartition.of(Table.POLICIES), brimming ? MaximumSizeRows.policy(policy) : policy);
    }

    private void append(Campaign campaign) {
        log.append(TablePartition.of(Table.CAMPAIGNS), brimming ? MaximumSizeRows.campaign(campaign) : campaign);
    }

    public void remove(CampaignName name) {
        campaigns.remove(name);
        transcript.append(WHO, () -> "removes campaign " + name);
        log.append(TablePartition.of(Table.CAMPAIGNS), new Tombstone(new RowKey(Table.CAMPAIGNS, name)));
    }

    /** Somebody's tool writes what nobody can read. */
    public void writeUnreadableRecord(TablePartition tablePartition, RowKey key) {
        transcript.append(WHO, () -> "something unreadable is written to " + key);
        log.appendUnreadable(tablePartition, key);
        if (!key.table().isPerSite()) {
            spoiled.add(key);
        }
    }

    /** Writes everything once more as it was meant. */
    public void rewrite() {
        policies.values().forEach(this::append);
        campaigns.values().forEach(this::append);
        orders.values().forEach(order -> log.append(TablePartition.of(order.table()), order));
        repairUnreadableRecords();
    }

    /** Says of what cannot be read and was never meant that it was not, as far as that can be said by now. */
    void repairUnreadableRecords() {
        spoiled.removeIf(key -> !isMeant(key) && clear(key));
    }

    private boolean isMeant(RowKey key) {
        return orders.containsKey(key)
                || (key.key() instanceof PolicyScope scope && policies.containsKey(scope))
                || (key.key() instanceof CampaignName name && campaigns.containsKey(name));
    }

    /** Nothing was ever meant to stand there. Returns whether it could be said so. */
    private boolean clear(RowKey key) {
        return switch (key.key()) {
            case OperatorOrderKey.FreezeFleet freeze -> liftsNothing(freeze, key.table());
            case OperatorOrderKey.FreezeSite freeze -> liftsNothing(freeze, key.table());
            case OperatorOrderKey.SetCampaignState state -> goesOn(state);
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
     * Said on the topic whose record cannot be read, also where it belongs on another and is refused: it can be read. On the
     * auditor's nothing but a freeze can be, which is lifted then.
     */
    private boolean liftsNothing(OperatorOrderKey freeze, Table table) {
        if (table == Table.AUDITOR_ORDERS) {
            auditorFreezes();
            unfreeze(freeze);
        } else {
            write(new OperatorOrder(
                            freeze,
                            "order-" + nextOrder++,
                            WHO,
                            "no freeze was meant",
                            null,
                            OperatorOrder.OrderVerb.UNFREEZE)
                    .withTable(table));
        }
        return true;
    }

    /** Where the campaign is not known yet, somebody will see to it later. */
    private boolean goesOn(OperatorOrderKey.SetCampaignState key) {
        CampaignStatus status = status(key.campaign());
        if (status != null && !status.state().isOver()) {
            order(key, OperatorOrder.OrderVerb.RUN, "no pause was meant", status.uid());
        }
        return status != null;
    }

    /** Takes out of its topic what cannot be read, as if that were enough. */
    void tombstone(RowKey key) {
        log.append(TablePartition.of(key.table()), new Tombstone(key));
    }

    /** What is known of a campaign, if the orchestrator has accepted it. */
    public @Nullable CampaignStatus status(CampaignName name) {
        return committed.get(new RowKey(Table.CAMPAIGN_STATUS, name)) instanceof CampaignStatus status ? status : null;
    }

    /** An order about a campaign: under its uid where it is known. */
    public void order(CampaignName campaign, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why) {
        CampaignStatus status = status(campaign);
        if (status != null) {
            order(key, verb, why, status.uid());
        }
    }

    public void order(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why) {
        order(key, verb, why, null);
    }

    /** An order about a campaign under the id of the order that stood there before, as who has one ticket for all of it. */
    void orderAgain(CampaignName campaign, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why) {
        CampaignStatus status = status(campaign);
        OperatorOrder before = orders.get(new RowKey(key.table(), key));
        if (status != null) {
            write(new OperatorOrder(key, before == null ? "ticket" : before.id(), WHO, why, status.uid(), verb));
        }
    }

    /** An order about an earlier campaign of the name, which nobody has a use for any more. */
    void orderAnEarlier(CampaignName campaign, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why) {
        CampaignStatus status = status(campaign);
        if (status != null) {
            write(new OperatorOrder(key, "order-" + nextOrder++, WHO, why, status.uid() - 1, verb));
            orders.remove(new RowKey(key.table(), key));
        }
    }

    /** An approval or a freeze is written to the table where earlier versions took it. */
    void misplace(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why) {
        OperatorOrder order = make(key, verb, why);
        if (order != null) {
            write(order.withTable(Table.ORDERS));
        }
    }

    /** The auditor finds something, right or wrong, and freezes the fleet. */
    void auditorFreezes() {
        write(new OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(),
                        "auditor-" + nextOrder++,
                        OperatorOrder.AUDITOR,
                        "it looks wrong",
                        null,
                        OperatorOrder.OrderVerb.FREEZE)
                .withTable(Table.AUDITOR_ORDERS));
    }

    /** The auditor, or who has its name, lifts a freeze where people do, which it has no right to. */
    void auditorUnfreezes(OperatorOrderKey key) {
        OperatorOrder standing = orders.get(new RowKey(key.table(), key));
        write(new OperatorOrder(
                        key,
                        "auditor-" + nextOrder++,
                        OperatorOrder.AUDITOR,
                        "it looks well",
                        null,
                        OperatorOrder.OrderVerb.UNFREEZE)
                .withLiftedFreezes(standing == null ? List.of() : List.of(standing.id())));
    }

    /** Takes an order out of the topic. A freeze is none the less lifted by an order only. */
    void withdraw(RowKey at) {
        if (!(at.key() instanceof OperatorOrderKey.FreezeFleet) && !(at.key() instanceof OperatorOrderKey.FreezeSite)) {
            orders.remove(at);
        }
        transcript.append(WHO, () -> "takes the order " + at.key() + " out of the topic");
        log.append(TablePartition.of(at.table()), new Tombstone(at));
    }

    /** The places where orders stand. */
    List<RowKey> orders() {
        return List.copyOf(orders.keySet());
    }

    private void order(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why, @Nullable Long uid) {
        OperatorOrder order = make(key, verb, why, uid);
        if (order != null) {
            write(order);
        }
    }

    private @Nullable OperatorOrder make(OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why) {
        if (!(key instanceof OperatorOrderKey.CampaignOrder of)) {
            return make(key, verb, why, null);
        }
        CampaignStatus status = status(of.campaign());
        return status == null ? null : make(key, verb, why, status.uid());
    }

    /** Null where there is nothing to approve. */
    private @Nullable OperatorOrder make(
            OperatorOrderKey key, OperatorOrder.OrderVerb verb, String why, @Nullable Long uid) {
        CampaignStatus status = key instanceof OperatorOrderKey.CampaignOrder of ? status(of.campaign()) : null;
        String edition = status != null && key instanceof OperatorOrderKey.ApproveWave
                ? CampaignContentHash.compute(status.acceptedCampaign())
                : null;
        CampaignStatus other =
                status != null && key instanceof OperatorOrderKey.ApproveOverlap ? earlier(status) : null;
        return other == null && key instanceof OperatorOrderKey.ApproveOverlap
                ? null
                : new OperatorOrder(
                        key, "order-" + nextOrder++, WHO, why, uid, edition, other == null ? null : other.uid(), verb);
    }

    /** The first campaign that came before one, wants another target and is not over: the one that it may overlap with. */
    @Nullable
    CampaignStatus earlier(CampaignStatus later) {
        CampaignStatus first = null;
        for (CampaignStatus other : committed.all(CampaignStatus.class)) {
            boolean unequal = !other.acceptedCampaign()
                    .spec()
                    .target()
                    .equals(later.acceptedCampaign().spec().target());
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
        String why = order.reason();
        orders.put(order.rowKey(), order);
        String where =
                order.table() == key.table() ? "" : " on " + order.table().label();
        transcript.append(WHO, () -> "orders " + verb.label() + " (" + key + where + "): " + why);
        log.append(TablePartition.of(order.table()), order);
    }

    /** Lifts every freeze, of policies and of orders. */
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

    /** Lifts a freeze, and by their ids those of the same key on other tables. */
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
                            key, "order-" + nextOrder++, WHO, "all well again", null, OperatorOrder.OrderVerb.UNFREEZE)
                    .withLiftedFreezes(lifts));
        }
    }

    /** The fleet's policy as it was meant last. */
    public @Nullable UpgradePolicy fleetPolicy() {
        return policies.get(FleetScope.FLEET);
    }
}
