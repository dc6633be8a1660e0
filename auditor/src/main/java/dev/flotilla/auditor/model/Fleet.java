package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Command;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Fact;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.Heartbeat;
import dev.flotilla.auditor.wire.Intent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.OrderRow;
import dev.flotilla.auditor.wire.Place;
import dev.flotilla.auditor.wire.PolicyRow;
import dev.flotilla.auditor.wire.RejectedRow;
import dev.flotilla.auditor.wire.Row;
import dev.flotilla.auditor.wire.SiteHead;
import dev.flotilla.auditor.wire.Topic;
import dev.flotilla.auditor.wire.WaveStatus;
import dev.flotilla.auditor.wire.ZoneRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The newest row of every key that a rule asks about, as of one decision. */
public final class Fleet {
    private static final String POLICY = "policy/";

    private final Map<String, MachineRow> machines = new HashMap<>();
    private final Map<String, MachineStatus> statuses = new HashMap<>();
    private final Map<String, ClusterRow> clusters = new HashMap<>();
    private final Map<String, Set<String>> membersOfClusters = new HashMap<>();
    private final Map<String, Set<String>> machinesOfRevisions = new HashMap<>();
    private final Map<String, Integer> machinesOfSites = new HashMap<>();
    /** By table and key: few of each, and no count is made of them. */
    private final Map<String, Row> others = new HashMap<>();

    private final Map<String, CampaignStatus> campaigns = new HashMap<>();
    private final Map<String, CampaignBook> books = new HashMap<>();

    /** Machines that several campaigns have still to do with. */
    private final Set<String> contested = new HashSet<>();

    private final Flights flights = new Flights();
    private final Nodes nodes = new Nodes();
    private final Members members = new Members(this);

    /** Takes a fact in: whatever stood under its key stands there no more. */
    public void put(Fact fact) {
        Place place = fact.place();
        Row row = fact.row();
        switch (place.topic().table()) {
            case "inventory" -> {
                if (place.isMachine()) {
                    putMachine(place, row instanceof MachineRow machine ? machine : null);
                } else if (place.isCluster()) {
                    putCluster(place.object(), row instanceof ClusterRow cluster ? cluster : null);
                } else {
                    putOther(place, row);
                }
            }
            case "status" -> {
                if (place.isMachine()) {
                    putStatus(place, row instanceof MachineStatus status ? status : null);
                }
            }
            case "campaign-status" -> {
                putOther(place, row);
                if (place.key().indexOf('/') < 0) {
                    putCampaign(place.key(), row instanceof CampaignStatus status ? status : null);
                }
            }
            case "rejected" -> {
                putOther(place, row);
                if (row instanceof RejectedRow rejected && rejected.accepted() != null) {
                    put(rejected.accepted());
                }
            }
            case "head" -> {
                String site = place.key();
                boolean before = isWrittenOff(site);
                putOther(place, row);
                if (isWrittenOff(site) != before) {
                    Set<String> ids = new TreeSet<>(machines.keySet());
                    ids.addAll(statuses.keySet());
                    ids.stream().filter(id -> id.startsWith(site + "/")).forEach(id -> look(id, site));
                }
            }
            case "orders", "approvals", "freezes", "auditor-orders" -> {
                // A tombstone names nobody and gives no reason: it lifts no freeze.
                OrderRow known = order(place.topic().table(), place.key());
                if (row != null || known == null || !known.freezes()) {
                    putOther(place, row);
                }
            }
            default -> putOther(place, row);
        }
    }

    private void putMachine(Place place, @Nullable MachineRow row) {
        String id = place.object();
        String site = place.topic().site();
        MachineRow before = row == null ? machines.remove(id) : machines.put(id, row);
        if (before != null) {
            machinesOfRevisions.getOrDefault(at(before), new TreeSet<>()).remove(id);
            nodes.remove(before);
            membersOfClusters.getOrDefault(before.cluster(), new TreeSet<>()).remove(id);
            machinesOfSites.merge(site, -1, Integer::sum);
        }
        if (row != null) {
            machinesOfRevisions
                    .computeIfAbsent(at(row), absent -> new TreeSet<>())
                    .add(id);
            nodes.add(row);
            membersOfClusters
                    .computeIfAbsent(row.cluster(), absent -> new TreeSet<>())
                    .add(id);
            machinesOfSites.merge(site, 1, Integer::sum);
        }
        look(id, site);
    }

    private void putStatus(Place place, @Nullable MachineStatus status) {
        String id = place.object();
        MachineStatus before = status == null ? statuses.remove(id) : statuses.put(id, status);
        if (before != null) {
            books.values().forEach(book -> book.leave(id, before, status));
        }
        look(id, place.topic().site());
    }

    private void look(String id, String site) {
        boolean away = isWrittenOff(site);
        flights.look(id, site, away ? null : machines.get(id), away ? null : statuses.get(id));
        look(id);
    }

    private void look(String id) {
        books.values().forEach(book -> book.look(id));
        contest(id);
    }

    private void contest(String id) {
        if (books.values().stream().filter(book -> book.wants(id)).count() > 1) {
            contested.add(id);
        } else {
            contested.remove(id);
        }
    }

    private void putCluster(String id, @Nullable ClusterRow row) {
        if (row == null) {
            clusters.remove(id);
        } else {
            clusters.put(id, row);
        }
        membersOfClusters.getOrDefault(id, Set.of()).forEach(this::look);
    }

    private void putCampaign(String name, @Nullable CampaignStatus status) {
        CampaignBook book = books.get(name);
        if (status == null) {
            campaigns.remove(name);
            close(name);
            return;
        }
        campaigns.put(name, status);
        if (status.over()) {
            close(name);
        } else if (book == null || !book.isOf(status)) {
            CampaignBook next = new CampaignBook(this, members, status, book);
            books.put(name, next);
            machines.keySet().forEach(next::look);
            statuses.keySet().forEach(next::look);
            machines.keySet().forEach(this::contest);
        }
    }

    private void close(String campaign) {
        if (books.remove(campaign) != null) {
            List.copyOf(contested).forEach(this::contest);
        }
    }

    private void putOther(Place place, @Nullable Row row) {
        String at = at(place.topic().table(), place.topic().site(), place.key());
        if (row == null) {
            others.remove(at);
        } else {
            others.put(at, row);
        }
    }

    private static String at(String table, String site, String key) {
        return table + " " + site + " " + key;
    }

    private @Nullable Row other(String table, String site, String key) {
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

    public @Nullable Command command(Place place) {
        return other("commands", place.topic().site(), place.key()) instanceof Command command ? command : null;
    }

    public @Nullable PolicyRow policy(String scope) {
        return other("campaign-status", "", POLICY + scope) instanceof PolicyRow policy ? policy : null;
    }

    /** How annotations of a site are followed. */
    public PolicyRow.IntentRule intents(String site) {
        PolicyRow own = policy(site);
        PolicyRow all = policy("fleet");
        return own != null && own.intents() != null
                ? own.intents()
                : all != null && all.intents() != null ? all.intents() : PolicyRow.IntentRule.DEFAULT;
    }

    public @Nullable ZoneRow zone(String name) {
        return other("campaign-status", "", "zone/" + name) instanceof ZoneRow zone ? zone : null;
    }

    public @Nullable OrderRow order(String key) {
        return order(OrderRow.homeOf(key), key);
    }

    private @Nullable OrderRow order(String table, String key) {
        return other(table, "", key) instanceof OrderRow order ? order : null;
    }

    public @Nullable FleetHead head() {
        return other("head", "", "fleet") instanceof FleetHead head ? head : null;
    }

    /** Whether a site is set aside: a leader that has not read it decides nothing about its attempts. */
    public boolean isAside(String site) {
        SiteHead head = siteHead(site);
        return head != null && head.unreachable();
    }

    public @Nullable SiteHead siteHead(String site) {
        return other("head", "", site) instanceof SiteHead head ? head : null;
    }

    public @Nullable Heartbeat heartbeat(String site) {
        return other("inventory", site, "site") instanceof Heartbeat heartbeat ? heartbeat : null;
    }

    @Nullable
    Intent intent(String siteAndObject) {
        return others.get("intents " + siteAndObject) instanceof Intent intent ? intent : null;
    }

    /** The campaign that a driver is, if it still is. */
    public @Nullable CampaignStatus campaign(Driver driver) {
        if (!(driver instanceof Driver.OfCampaign of)) {
            return null;
        }
        CampaignStatus status = campaigns.get(of.name());
        return status != null && status.uid() == of.uid() ? status : null;
    }

    public @Nullable CampaignBook book(CampaignStatus campaign) {
        return books.get(campaign.name());
    }

    public @Nullable WaveStatus wave(CampaignStatus campaign, String wave) {
        return other("campaign-status", "", campaign.name() + "/" + wave) instanceof WaveStatus status
                        && status.campaignUid() == campaign.uid()
                ? status
                : null;
    }

    /** Whether the newest record of an input's key cannot be read. */
    public boolean isUnreadable(Topic topic, String key) {
        return other("rejected", "", topic.name() + "/0/" + key) instanceof RejectedRow row && !row.readable();
    }

    /** Whether any record cannot be read, so that what it would say is not known. */
    public boolean anyUnreadable() {
        return others.values().stream().anyMatch(row -> row instanceof RejectedRow rejected && !rejected.readable());
    }

    public Collection<CampaignStatus> campaigns() {
        return campaigns.values();
    }

    /** Machines that several campaigns have still to do with, by their ids. */
    public Set<String> contested() {
        return contested;
    }

    public Collection<MachineRow> machines() {
        return machines.values();
    }

    /** Those that campaigns wait for: not the machines of sites that were written off. */
    public Collection<MachineRow> awaited() {
        return machines.values().stream()
                .filter(machine -> !isWrittenOff(machine.site()))
                .toList();
    }

    /** Whether somebody has given up a site whose topics cannot be used. */
    public boolean isWrittenOff(String site) {
        SiteHead head = siteHead(site);
        return head != null && head.writtenOff();
    }

    public List<MachineRow> machinesOf(String cluster) {
        List<MachineRow> found = new ArrayList<>();
        for (String id : membersOfClusters.getOrDefault(cluster, Set.of())) {
            MachineRow row = machines.get(id);
            if (row != null) {
                found.add(row);
            }
        }
        return found;
    }

    /** Machines of a site that show a revision. */
    public List<MachineRow> machinesAt(String site, String revision) {
        List<MachineRow> found = new ArrayList<>();
        for (String id : machinesOfRevisions.getOrDefault(at(site, revision), Set.of())) {
            MachineRow row = machines.get(id);
            if (row != null) {
                found.add(row);
            }
        }
        return found;
    }

    private static String at(MachineRow row) {
        return at(row.site(), String.valueOf(row.revision()));
    }

    private static String at(String site, String revision) {
        return site + " " + revision;
    }

    public int machinesOfSite(String site) {
        return machinesOfSites.getOrDefault(site, 0);
    }

    public Flights flights() {
        return flights;
    }

    /** Whether another site shows the same node, and upgrades it or upgraded it before this one did. */
    public boolean yields(MachineRow row) {
        for (MachineRow other : nodes.twins(row)) {
            if (flights.attempts().contains(other.id()) || (hasHistory(other) && !hasHistory(row))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasHistory(MachineRow row) {
        MachineStatus status = statuses.get(row.id());
        return status != null && !status.entries().isEmpty();
    }

    public Members members() {
        return members;
    }

    /** Whether the fleet or a site is frozen, by a policy or an order. */
    public boolean frozen(String site) {
        return frozenByOrder("fleet/freeze")
                || frozenByOrder("site/" + site + "/freeze")
                || Stream.of("fleet", site).map(this::policy).anyMatch(row -> row != null && row.frozen());
    }

    public boolean frozenByOrder(String key) {
        return FreezeOrders.hold(this::order, key);
    }
}
