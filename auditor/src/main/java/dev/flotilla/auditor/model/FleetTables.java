package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.ClusterUpgrade;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.OperatorOrder;
import dev.flotilla.auditor.wire.RejectedRecord;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.SiteHead;
import dev.flotilla.auditor.wire.TableRow;
import dev.flotilla.auditor.wire.TimeZoneRules;
import dev.flotilla.auditor.wire.TopicName;
import dev.flotilla.auditor.wire.UpgradeIntent;
import dev.flotilla.auditor.wire.UpgradePolicy;
import dev.flotilla.auditor.wire.WatcherHeartbeat;
import dev.flotilla.auditor.wire.WaveStatus;
import dev.flotilla.auditor.wire.WorkerCommand;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The newest rows that the rules use, as of one decision. */
public final class FleetTables {
    private static final String POLICY = "policy/";

    private final MachineRowIndex machines = new MachineRowIndex();
    private final Map<String, MachineStatus> statuses = new HashMap<>();
    private final Map<String, ClusterRow> clusters = new HashMap<>();
    /** Rows by table and key, of tables that are small and not counted. */
    private final Map<String, TableRow> others = new HashMap<>();

    private final Map<String, CampaignStatus> campaigns = new HashMap<>();
    private final Map<String, CampaignMachineIndex> books = new HashMap<>();

    /** Machines that several campaigns target. */
    private final Set<String> duplicatedMachines = new HashSet<>();

    private final InFlightMachines inFlight = new InFlightMachines();
    private final RolloutMembership membership = new RolloutMembership(this);
    private final FleetPolicies policies = new FleetPolicies(this::policy);

    /** Puts a row change; it replaces what was under its key. */
    public void put(RowChange rowChange) {
        RowKey rowKey = rowChange.key();
        TableRow tableRow = rowChange.row();
        switch (rowKey.topic().table()) {
            case "inventory" -> {
                if (rowKey.isMachine()) {
                    putMachine(rowKey, tableRow instanceof MachineRow machine ? machine : null);
                } else if (rowKey.isCluster()) {
                    putCluster(rowKey.object(), tableRow instanceof ClusterRow cluster ? cluster : null);
                } else {
                    putOther(rowKey, tableRow);
                }
            }
            case "status" -> {
                if (rowKey.isMachine()) {
                    putStatus(rowKey, tableRow instanceof MachineStatus status ? status : null);
                } else if (rowKey.isClusterUpgrade()) {
                    putOther(rowKey, tableRow);
                }
            }
            case "campaign-status" -> {
                boolean changesProviders = rowKey.key().startsWith(POLICY)
                        && policies.changesProviders(rowKey.key().substring(POLICY.length()), tableRow);
                putOther(rowKey, tableRow);
                if (rowKey.key().indexOf('/') < 0) {
                    putCampaign(rowKey.key(), tableRow instanceof CampaignStatus status ? status : null);
                } else if (changesProviders) {
                    machines.ids().forEach(this::look);
                }
            }
            case "rejected" -> {
                putOther(rowKey, tableRow);
                if (tableRow instanceof RejectedRecord rejected && rejected.acceptedRow() != null) {
                    put(rejected.acceptedRow());
                }
            }
            case "head" -> {
                String site = rowKey.key();
                boolean before = isWrittenOff(site);
                putOther(rowKey, tableRow);
                if (isWrittenOff(site) != before) {
                    Set<String> ids = new TreeSet<>(machines.ids());
                    ids.addAll(statuses.keySet());
                    ids.stream().filter(id -> id.startsWith(site + "/")).forEach(id -> look(id, site));
                }
            }
            case "orders", "approvals", "freezes", "auditor-orders" -> {
                // A tombstone has no author and no reason: it does not end a freeze.
                OperatorOrder known = order(rowKey.topic().table(), rowKey.key());
                if (tableRow != null || known == null || !known.isFreeze()) {
                    putOther(rowKey, tableRow);
                }
            }
            default -> putOther(rowKey, tableRow);
        }
    }

    /**
     * Removes the inputs of a site, which are decided on again from the beginnings of its topics. The last accepted
     * row of an unreadable record stays: its rejection has it.
     */
    public void removeInputs(String site) {
        String start = site + "/";
        TopicName inventory = new TopicName("inventory", site);
        idsOf(start, machines.ids()).forEach(id -> putMachine(RowKey.ofMachine(inventory, id), null));
        idsOf(start, clusters.keySet()).forEach(id -> putCluster(id, null));
        List.of("inventory", "intents")
                .forEach(table -> others.keySet().removeIf(at -> at.startsWith(at(table, site, ""))));
        for (TableRow row : List.copyOf(others.values())) {
            if (row instanceof RejectedRecord rejected
                    && rejected.acceptedRow() != null
                    && rejected.acceptedRow().key().topic().site().equals(site)) {
                put(rejected.acceptedRow());
            }
        }
    }

    /** The ids of a site's machines that have a status. */
    public List<String> machinesWithStatus(String site) {
        return idsOf(site + "/", statuses.keySet());
    }

    private static List<String> idsOf(String start, Set<String> ids) {
        return ids.stream().filter(id -> id.startsWith(start)).sorted().toList();
    }

    private void putMachine(RowKey rowKey, @Nullable MachineRow row) {
        String id = rowKey.object();
        String site = rowKey.topic().site();
        machines.put(id, site, row);
        look(id, site);
    }

    private void putStatus(RowKey rowKey, @Nullable MachineStatus status) {
        String id = rowKey.object();
        MachineStatus before = status == null ? statuses.remove(id) : statuses.put(id, status);
        if (before != null) {
            books.values().forEach(book -> book.beforeStatusChange(id, before, status));
        }
        look(id, rowKey.topic().site());
    }

    private void look(String id, String site) {
        boolean away = isWrittenOff(site);
        inFlight.updateMachine(id, site, away ? null : machines.get(id), away ? null : statuses.get(id));
        look(id);
    }

    private void look(String id) {
        books.values().forEach(book -> book.updateMachine(id));
        contest(id);
    }

    private void contest(String id) {
        if (books.values().stream().filter(book -> book.targetsMachine(id)).count() > 1) {
            duplicatedMachines.add(id);
        } else {
            duplicatedMachines.remove(id);
        }
    }

    private void putCluster(String id, @Nullable ClusterRow row) {
        if (row == null) {
            clusters.remove(id);
        } else {
            clusters.put(id, row);
        }
        machines.idsInCluster(id).forEach(this::look);
    }

    private void putCampaign(String name, @Nullable CampaignStatus status) {
        CampaignMachineIndex book = books.get(name);
        if (status == null) {
            campaigns.remove(name);
            close(name);
            return;
        }
        campaigns.put(name, status);
        if (status.isOver()) {
            close(name);
        } else if (book == null || !book.isSameSpecification(status)) {
            CampaignMachineIndex next = new CampaignMachineIndex(this, membership, status, book);
            books.put(name, next);
            machines.ids().forEach(next::updateMachine);
            statuses.keySet().forEach(next::updateMachine);
            machines.ids().forEach(this::contest);
        }
    }

    private void close(String campaign) {
        if (books.remove(campaign) != null) {
            List.copyOf(duplicatedMachines).forEach(this::contest);
        }
    }

    private void putOther(RowKey rowKey, @Nullable TableRow tableRow) {
        String at = at(rowKey.topic().table(), rowKey.topic().site(), rowKey.key());
        if (tableRow == null) {
            others.remove(at);
        } else {
            others.put(at, tableRow);
        }
    }

    private static String at(String table, String site, String key) {
        return table + " " + site + " " + key;
    }

    private @Nullable TableRow other(String table, String site, String key) {
        return others.get(at(table, site, key));
    }

    public @Nullable MachineRow machine(String id) {
        return machines.get(id);
    }

    public @Nullable MachineStatus status(String id) {
        return statuses.get(id);
    }

    public @Nullable ClusterRow cluster(String id) {
        return clusters.get(id);
    }

    /** The row of a cluster that a campaign has opened; null if none has. */
    public @Nullable ClusterUpgrade clusterUpgrade(String cluster) {
        return (ClusterUpgrade) others.get(ClusterUpgrade.keyOf(cluster));
    }

    public @Nullable WorkerCommand command(RowKey rowKey) {
        return other("commands", rowKey.topic().site(), rowKey.key()) instanceof WorkerCommand workerCommand
                ? workerCommand
                : null;
    }

    public @Nullable UpgradePolicy policy(String scope) {
        return other("campaign-status", "", POLICY + scope) instanceof UpgradePolicy policy ? policy : null;
    }

    /** What the policies of the fleet and the sites say. */
    public FleetPolicies policies() {
        return policies;
    }

    public @Nullable TimeZoneRules zone(String name) {
        return other("campaign-status", "", "zone/" + name) instanceof TimeZoneRules zone ? zone : null;
    }

    public @Nullable OperatorOrder order(String key) {
        return order(OperatorOrder.homeOf(key), key);
    }

    private @Nullable OperatorOrder order(String table, String key) {
        return other(table, "", key) instanceof OperatorOrder order ? order : null;
    }

    public @Nullable FleetHead head() {
        return other("head", "", "fleet") instanceof FleetHead head ? head : null;
    }

    /** Whether a site is suspended: a leader decides nothing about its attempts. */
    public boolean isSuspended(String site) {
        SiteHead head = siteHead(site);
        return head != null && head.unreachable();
    }

    public @Nullable SiteHead siteHead(String site) {
        return other("head", "", site) instanceof SiteHead head ? head : null;
    }

    public @Nullable WatcherHeartbeat heartbeat(String site) {
        return other("inventory", site, "site") instanceof WatcherHeartbeat watcherHeartbeat ? watcherHeartbeat : null;
    }

    public @Nullable UpgradeIntent intent(String siteAndObject) {
        return others.get("intents " + siteAndObject) instanceof UpgradeIntent upgradeIntent ? upgradeIntent : null;
    }

    /** The campaign of a rollout, if it exists. */
    public @Nullable CampaignStatus campaign(RolloutRef rolloutRef) {
        if (!(rolloutRef instanceof RolloutRef.CampaignRef of)) {
            return null;
        }
        CampaignStatus status = campaigns.get(of.name());
        return status != null && status.uid() == of.uid() ? status : null;
    }

    public @Nullable CampaignMachineIndex campaignMachines(CampaignStatus campaign) {
        return books.get(campaign.name());
    }

    public @Nullable WaveStatus wave(CampaignStatus campaign, String wave) {
        return other("campaign-status", "", campaign.name() + "/" + wave) instanceof WaveStatus status
                        && status.campaignUid() == campaign.uid()
                ? status
                : null;
    }

    /** Whether the newest record of an input's key is unreadable. */
    public boolean isUnreadable(TopicName topicName, String key) {
        return other("rejected", "", topicName.name() + "/0/" + key) instanceof RejectedRecord row && !row.readable();
    }

    /** Whether a decision about a machine has failed because of a bug, so that nothing is decided about it. */
    public boolean isParked(MachineStatus status) {
        TopicName topicName = new TopicName("status", status.site());
        return isUnreadable(topicName, RowKey.ofMachine(topicName, status.id()).key());
    }

    /** Whether any record is unreadable, so that its content is not known. */
    public boolean anyUnreadable() {
        return others.values().stream().anyMatch(row -> row instanceof RejectedRecord known && !known.readable());
    }

    public Collection<CampaignStatus> campaigns() {
        return campaigns.values();
    }

    /** Machines that several campaigns target, by their ids. */
    public Set<String> duplicatedMachines() {
        return duplicatedMachines;
    }

    public Collection<MachineRow> machines() {
        return machines.all();
    }

    /** Machines that campaigns wait for: all but those of written-off sites. */
    public Collection<MachineRow> countedMachines() {
        return machines.all().stream()
                .filter(machine -> !isWrittenOff(machine.site()))
                .toList();
    }

    /** Whether a suspended site was written off. */
    public boolean isWrittenOff(String site) {
        SiteHead head = siteHead(site);
        return head != null && head.writtenOff();
    }

    public List<MachineRow> machinesOf(String cluster) {
        return machines.inCluster(cluster);
    }

    /** Machines of a site that show a revision. */
    public List<MachineRow> machinesAt(String site, String revision) {
        return machines.atRevision(site, revision);
    }

    public int machinesOfSite(String site) {
        return machines.countInSite(site);
    }

    public InFlightMachines inFlight() {
        return inFlight;
    }

    /** Whether another site shows the same node, and upgrades it or upgraded it before this one did. */
    public boolean hasUpgradedDuplicate(MachineRow row) {
        for (MachineRow other : machines.withSameNode(row)) {
            if (inFlight.attempts().contains(other.id()) || (hasHistory(other) && !hasHistory(row))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasHistory(MachineRow row) {
        MachineStatus status = statuses.get(row.id());
        return status != null && !status.entries().isEmpty();
    }

    public RolloutMembership membership() {
        return membership;
    }

    /** Whether a policy or an order freezes the fleet or a site. */
    public boolean isFrozen(String site) {
        return isFrozenByOrder("fleet/freeze")
                || isFrozenByOrder("site/" + site + "/freeze")
                || Stream.of("fleet", site).map(this::policy).anyMatch(row -> row != null && row.frozen());
    }

    public boolean isFrozenByOrder(String key) {
        return FreezeOrders.isFreezeActive(this::order, key);
    }
}
