package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.log.CommittedTableRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The committed rows as of one decision. Everything derived from them is recounted for each question. */
final class ReferenceFleetState {
    /** An identity that more machines than this share does not identify a node. */
    private static final int MAX_SHARING_MACHINES = 8;

    private final CommittedTableRows rows;
    private final ActiveOrders orders;
    private final GrantedApprovals grantedApprovals;
    private final UnreadableRecords unreadableRecords;
    private final AttemptMachineSnapshots admittedMachines = new AttemptMachineSnapshots(this);
    private final LostAttemptEnds lostAttemptEnds = new LostAttemptEnds();
    private @Nullable Set<SiteId> readSites;

    ReferenceFleetState(CommittedTableRows rows, ActiveOrders orders, GrantedApprovals approvals) {
        this.rows = rows;
        this.orders = orders;
        this.grantedApprovals = approvals;
        this.unreadableRecords = new UnreadableRecords(rows);
    }

    /** What operators have approved. */
    GrantedApprovals grantedApprovals() {
        return grantedApprovals;
    }

    /** The unreadable records. */
    UnreadableRecords unreadableRecords() {
        return unreadableRecords;
    }

    /** Where machines in flight were admitted. */
    AttemptMachineSnapshots admittedMachines() {
        return admittedMachines;
    }

    /** Sets the sites whose rows the leader of the following decisions knows. */
    void setReadSites(Set<SiteId> sites) {
        readSites = sites;
        lostAttemptEnds.sitesRead(sites);
    }

    /** Records that a leader has ended with its withheld rows. */
    void leaderLost(Map<RowKey, RowChange> kept, CommittedTableRows committed) {
        lostAttemptEnds.leaderLost(kept, committed);
    }

    /** Whether the deciding leader does not know the rows of a site and uses its head row instead. */
    boolean isSiteUnread(SiteId site) {
        return readSites != null && !readSites.contains(site);
    }

    /** Whether an order has written a site off. */
    boolean isSiteWrittenOff(SiteId site) {
        SiteHead head = siteHead(site);
        return head != null && head.isWrittenOff();
    }

    /** Whether a campaign may have machines in a site whose rows the leader does not know. */
    boolean isPartlyUnread(CampaignStatus campaign) {
        List<SiteId> of = campaign.acceptedCampaign().spec().select().sites();
        for (SiteHead head : rows.all(SiteHead.class)) {
            if (isSiteUnread(head.site())
                    && !isSiteWrittenOff(head.site())
                    && (of.isEmpty() || of.contains(head.site()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a campaign does not select an unread site any more; then it does not wait for it. */
    boolean isUnreadSiteDeselected(SiteId site, CampaignStatus campaign) {
        List<SiteId> of = campaign.acceptedCampaign().spec().select().sites();
        return isSiteUnread(site) && !of.isEmpty() && !of.contains(site);
    }

    private boolean isAnySiteWrittenOff() {
        return rows.all(SiteHead.class).stream().anyMatch(SiteHead::isWrittenOff);
    }

    @Nullable
    TimeZoneRules timeZoneRules(TimeZoneName name) {
        return rows.get(new RowKey(Table.CAMPAIGN_STATUS, name)) instanceof TimeZoneRules row ? row : null;
    }

    @Nullable
    MachineRow machine(MachineKey key) {
        return rows.get(new RowKey(Table.INVENTORY, key)) instanceof MachineRow row ? row : null;
    }

    @Nullable
    MachineStatus status(MachineKey key) {
        return rows.get(new RowKey(Table.STATUS, key)) instanceof MachineStatus row ? row : null;
    }

    @Nullable
    ClusterRow cluster(ClusterKey key) {
        return rows.get(new RowKey(Table.INVENTORY, key)) instanceof ClusterRow row ? row : null;
    }

    @Nullable
    UpgradePolicy policy(PolicyScope scope) {
        return rows.get(new RowKey(Table.CAMPAIGN_STATUS, scope)) instanceof LastAcceptedPolicy row
                ? row.policy()
                : null;
    }

    /** Whether the policy of a site allows a target as far as it is a local path. */
    boolean allowsPath(SiteId site, UpgradeTarget target) {
        return allowsPath(intentRule(site), target);
    }

    /** The same for a campaign that names no site: the fleet's policy counts. */
    boolean fleetAllowsPath(UpgradeTarget target) {
        UpgradePolicy fleet = policy(FleetScope.FLEET);
        return allowsPath(
                fleet == null || fleet.intentRule() == null ? UpgradePolicy.IntentRule.DEFAULT : fleet.intentRule(),
                target);
    }

    private static boolean allowsPath(UpgradePolicy.IntentRule rule, UpgradeTarget target) {
        return !(target instanceof UpgradeTarget.LocalPath path)
                || rule.localPaths().stream().anyMatch(directory -> path.path().startsWith(directory + "/"));
    }

    /** The rule for intents in a site. */
    UpgradePolicy.IntentRule intentRule(SiteId site) {
        UpgradePolicy own = policy(site);
        UpgradePolicy fleet = policy(FleetScope.FLEET);
        return own != null && own.intentRule() != null
                ? own.intentRule()
                : fleet != null && fleet.intentRule() != null ? fleet.intentRule() : UpgradePolicy.IntentRule.DEFAULT;
    }

    /** What upgrades a machine: what the first rule for it in its site's policy says, else in the fleet's, else its row. */
    UpgradeProvider providerOf(MachineRow machine) {
        UpgradePolicy own = policy(machine.key().site());
        UpgradePolicy fleet = policy(FleetScope.FLEET);
        List<ProviderRule> rules = own != null && !own.providerRules().isEmpty()
                ? own.providerRules()
                : fleet == null ? List.of() : fleet.providerRules();
        for (ProviderRule rule : rules) {
            if ((rule.sites().isEmpty() || rule.sites().contains(machine.key().site()))
                    && rule.machines().matches(machine.labels())) {
                return rule.provider();
            }
        }
        return machine.provider();
    }

    /** Whether a machine's provider can apply a target. */
    boolean canApply(MachineRow machine, UpgradeTarget target) {
        return providerOf(machine).canApply(target);
    }

    FleetHead head() {
        return rows.get(FleetHead.NONE.rowKey()) instanceof FleetHead row ? row : FleetHead.NONE;
    }

    @Nullable
    SiteHead siteHead(SiteId site) {
        return rows.get(new RowKey(Table.HEAD, site)) instanceof SiteHead row ? row : null;
    }

    @Nullable
    WatcherHeartbeat heartbeat(SiteId site) {
        return rows.get(new RowKey(Table.INVENTORY, site)) instanceof WatcherHeartbeat row ? row : null;
    }

    /** The campaign of a rollout reference; null if it is no campaign or the campaign was replaced. */
    @Nullable
    CampaignStatus campaign(RolloutRef rolloutRef) {
        return rolloutRef instanceof RolloutRef.CampaignRef of
                        && rows.get(new RowKey(Table.CAMPAIGN_STATUS, of.name())) instanceof CampaignStatus status
                        && status.uid() == of.uid()
                ? status
                : null;
    }

    @Nullable
    WaveStatus wave(CampaignStatus campaign, String wave) {
        return rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(campaign.name(), wave))) instanceof WaveStatus row
                        && row.campaignUid() == campaign.uid()
                ? row
                : null;
    }

    /** All machines, except those of written-off sites. */
    Collection<MachineRow> machines() {
        Collection<MachineRow> all = rows.all(MachineRow.class);
        return isAnySiteWrittenOff()
                ? all.stream()
                        .filter(machine -> !isSiteWrittenOff(machine.key().site()))
                        .toList()
                : all;
    }

    List<MachineRow> machines(ClusterKey cluster) {
        List<MachineRow> found = new ArrayList<>();
        for (MachineRow row : machines()) {
            if (row.clusterKey().equals(cluster)) {
                found.add(row);
            }
        }
        return found;
    }

    Collection<CampaignStatus> campaigns() {
        return rows.all(CampaignStatus.class);
    }

    /** All machine statuses, except those of written-off sites. */
    Collection<MachineStatus> statuses() {
        Collection<MachineStatus> all = rows.all(MachineStatus.class);
        return isAnySiteWrittenOff()
                ? all.stream()
                        .filter(status -> !isSiteWrittenOff(status.key().site()))
                        .toList()
                : all;
    }

    /** The intent for an object; null if there is none, or if the policy does not allow its target. */
    @Nullable
    UpgradeIntent intent(ObjectKey object) {
        return rows.get(new RowKey(Table.INTENTS, object)) instanceof UpgradeIntent row
                        && intentRule(object.site()).allows(row.target())
                ? row
                : null;
    }

    /** The sites that have an intent. */
    Set<SiteId> sitesWithIntents() {
        Set<SiteId> sites = new LinkedHashSet<>();
        for (UpgradeIntent intent : rows.all(UpgradeIntent.class)) {
            sites.add(intent.object().site());
        }
        return sites;
    }

    static @Nullable OwnerKey ownerOf(MachineRow row) {
        MachineRow.MachineOwner owner = row.owner();
        return owner == null
                ? null
                : new OwnerKey(row.key().site(), owner.kind(), row.key().namespace(), owner.name());
    }

    boolean frozen(SiteId site) {
        UpgradePolicy fleet = policy(FleetScope.FLEET);
        UpgradePolicy own = policy(site);
        return (fleet != null && fleet.frozen()) || (own != null && own.frozen()) || orders.isFrozen(site);
    }

    /** Whether a site is frozen, or an order without the right to it keeps it closed. */
    boolean mayBeFrozen(SiteId site) {
        return frozen(site) || orders.mayBeFrozen(site);
    }

    /** Whether an unreadable record might stop the site or the campaign. */
    boolean mayBeStopped(SiteId site, @Nullable CampaignStatus campaign) {
        return mayBeFrozenByUnreadable("fleet/freeze")
                || mayBeFrozenByUnreadable("site/" + site + "/freeze")
                || (policy(site) == null && unreadableRecords.contains(Table.POLICIES, site.name()))
                || (campaign != null && unreadableRecords.contains(Table.ORDERS, campaign.name() + "/state"));
    }

    private boolean mayBeFrozenByUnreadable(String key) {
        return unreadableRecords.contains(Table.FREEZES, key)
                || unreadableRecords.contains(Table.AUDITOR_ORDERS, key)
                || unreadableRecords.contains(Table.ORDERS, key);
    }

    /** Whether a record about a cluster, its machines or their intents is unreadable or undecidable. */
    boolean isUnreadable(ClusterKey cluster) {
        boolean any = unreadableRecords.contains(new RowKey(Table.INVENTORY, cluster.site()))
                || unreadableRecords.contains(new RowKey(Table.INVENTORY, cluster))
                || unreadableRecords.contains(new RowKey(Table.INTENTS, cluster));
        for (MachineRow machine : machines(cluster)) {
            OwnerKey owner = ownerOf(machine);
            any |= unreadableRecords.contains(new RowKey(Table.INVENTORY, machine.key()))
                    || unreadableRecords.contains(new RowKey(Table.STATUS, machine.key()))
                    || unreadableRecords.contains(new RowKey(Table.INTENTS, machine.key()))
                    || (owner != null && unreadableRecords.contains(new RowKey(Table.INTENTS, owner)));
        }
        return any;
    }

    static boolean inFlight(@Nullable MachineStatus status) {
        return status != null && status.attempt() != null;
    }

    /** Whether a machine is in flight for this campaign or intent. */
    static boolean inFlight(@Nullable MachineStatus status, RolloutRef rolloutRef) {
        return status != null
                && status.attempt() != null
                && status.attempt().rolloutRef().equals(rolloutRef);
    }

    /**
     * A machine of another read site that shows the same node and is in flight, or was upgraded before; null if none.
     */
    @Nullable
    MachineRow duplicateNodeInUse(MachineRow machine) {
        MachineRow first = duplicateNodeInUse(machine, MachineRow::systemUuid);
        return first != null ? first : duplicateNodeInUse(machine, MachineRow::providerId);
    }

    private @Nullable MachineRow duplicateNodeInUse(MachineRow machine, Function<MachineRow, @Nullable String> shown) {
        String identity = shown.apply(machine);
        if (identity == null || identity.startsWith("00000000-") || identity.startsWith("kwok://")) {
            return null;
        }
        List<MachineRow> namesakes = new ArrayList<>();
        for (MachineRow other : machines()) {
            if (identity.equals(shown.apply(other))
                    && !other.key().equals(machine.key())
                    && !isSiteUnread(other.key().site())) {
                namesakes.add(other);
            }
        }
        if (namesakes.size() > MAX_SHARING_MACHINES - 1) {
            return null;
        }
        for (MachineRow other : namesakes) {
            boolean before = hasHistory(other) && !hasHistory(machine);
            if (!other.key().site().equals(machine.key().site()) && (inFlight(status(other.key())) || before)) {
                return other;
            }
        }
        return null;
    }

    private boolean hasHistory(MachineRow machine) {
        MachineStatus status = status(machine.key());
        return status != null && !status.entries().isEmpty();
    }

    /** Whether a machine is in flight and its end was not lost with a leader. */
    boolean holdsSlot(@Nullable MachineStatus status) {
        return status != null && inFlight(status) && !lostAttemptEnds.hasLostEnd(status.key());
    }

    /** Whether a machine is in flight for Flotilla or another controller. */
    boolean isInFlightAnywhere(MachineRow row) {
        return row.foreignActivities().contains(ForeignActivity.FOREIGN) || holdsSlot(status(row.key()));
    }

    static @Nullable RolloutEntry entry(@Nullable MachineStatus status, RolloutRef rolloutRef) {
        if (status != null) {
            for (RolloutEntry entry : status.entries()) {
                if (entry.rolloutRef().equals(rolloutRef)) {
                    return entry;
                }
            }
        }
        return null;
    }
}
