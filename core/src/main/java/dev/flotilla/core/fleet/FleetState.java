package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineCursor;
import dev.flotilla.core.fleet.inventory.MachinePage;
import dev.flotilla.core.fleet.inventory.MachineScanner;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.OperatorOrderTable;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.rollout.UnrestoredSites;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.rollout.WaveShareCalculator;
import dev.flotilla.core.fleet.start.ClusterRecounter;
import dev.flotilla.core.fleet.start.FleetStateReader;
import dev.flotilla.core.fleet.start.ForgettableMachineIndex;
import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.NextStartSelector;
import dev.flotilla.core.fleet.start.RetriableMachineIndex;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.fleet.time.AttemptTimeouts;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * All rows that matter to a decision, and what is derived from them.
 *
 * <p>Hard state is the rows: it changes by {@link #put} and in no other way, puts of different keys commute, and
 * {@link #hash} covers all of it. Soft state is counts, queues and timers: they follow from the rows and from how late it
 * is, and are brought up to date by {@link #refreshDerivedState} before they are read.
 */
public final class FleetState implements FleetStateReader {
    /** What nobody knows is more than any budget bears. */
    public static final int UNKNOWN_USE = UnrestoredSites.UNKNOWN;

    private final RowStore rows = new RowStore();
    private final RetriableMachineIndex retriable = new RetriableMachineIndex(rows.backlogs);
    private final ForgettableMachineIndex forgettable =
            new ForgettableMachineIndex(rows.rollouts, rows.rejected::isParked);
    private final ClusterRecounter clusterRecounter = new ClusterRecounter(
            this, rows.inventory, rows.rollouts, rows.backlogs, rows.startQueues, rows.objects, retriable, forgettable);
    private final StateHash stateHash = new StateHash(rows);
    private final NextStartSelector nextStartSelector = new NextStartSelector(
            this,
            rows.rollouts,
            rows.backlogs,
            rows.startQueues,
            rows.inventory.machines(),
            rows::recheckMachine,
            this::refreshDerivedState);

    /** Takes a fact in. The only way the rows change. */
    public void put(RowChange rowChange) {
        rows.put(rowChange);
        nextStartSelector.candidatesMayHaveChanged();
    }

    /** A hash over all rows held, the same whatever the order in which they came. */
    public long hash() {
        return stateHash.compute();
    }

    /** The same hash, for which only those rows are looked at that were put since it was last asked for. */
    public long quickHash() {
        return stateHash.computeIncrementally();
    }

    /** Brings everything that follows from the rows up to date, as of an instant. */
    public void refreshDerivedState(GateEvaluator gateEvaluator, Instant now) {
        rows.rollouts.advance(now);
        if (rows.calendars.pollEdges(rows.rollouts.named(), now.toEpochMilli())) {
            rows.inventory.touchAll();
        }
        rows.expireRetries(now);
        recountTouched(gateEvaluator, now);
        if (rows.rollouts.follow(now)) {
            recountTouched(gateEvaluator, now);
        }
    }

    private void recountTouched(GateEvaluator gateEvaluator, Instant now) {
        clusterRecounter.recountTouched(gateEvaluator, now);
        for (ObjectKey object = rows.objects.nextTouched(); object != null; object = rows.objects.nextTouched()) {
            rows.objects.compare(object, currentIntentStatus(object));
        }
    }

    @Override
    public FleetHead head() {
        return rows.head;
    }

    public @Nullable MachineView machine(MachineKey key) {
        int row = rows.inventory.machines().find(key);
        return row < 0 ? null : new MachineView(rows.inventory.machines(), row);
    }

    public @Nullable ClusterState cluster(ClusterKey key) {
        return rows.inventory.clusters().get(key);
    }

    /** All clusters, by key. */
    public Collection<ClusterState> clusters() {
        return Collections.unmodifiableCollection(rows.inventory.clusters().values());
    }

    public @Nullable SiteState site(SiteId id) {
        return rows.inventory.sites().get(id);
    }

    public Collection<SiteState> sites() {
        return Collections.unmodifiableCollection(rows.inventory.sites().values());
    }

    @Override
    public List<MachineView> machines(ClusterState cluster) {
        return rows.machines(cluster);
    }

    /** A piece of the fleet, by cluster and name: what follows a bookmark, looking at so many clusters and machines. */
    public MachinePage scanMachines(MachineCursor after, int most) {
        return MachineScanner.scan(rows.inventory, after, most);
    }

    @Override
    public int machines() {
        return rows.inventory.present();
    }

    @Override
    public int inFlight() {
        return clusterRecounter.inFlight() + rows.unread.inFlight();
    }

    @Override
    public int unrestoredInFlight(CampaignRollout campaign) {
        return rows.unread.inFlight(campaign.spec().selection().sites());
    }

    @Override
    public int unrestoredBudgetUsed(CampaignRollout campaign) {
        return rows.unread.budgetUsed(campaign);
    }

    /** What campaigns have used of their failure budgets in a site; null where nobody knows. */
    public @Nullable List<FailureBudgetUse> budgetsUsed(SiteId id) {
        SiteState site = rows.inventory.sites().get(id);
        SiteHead head = site == null ? null : site.head();
        if (site != null && head != null && site.isUnrestored()) {
            return head.budgetUses();
        }
        List<FailureBudgetUse> budgets = new ArrayList<>();
        for (CampaignRollout campaign : rows.rollouts.named()) {
            int used = campaign.budgetUsed(id);
            if (used > 0) {
                budgets.add(
                        new FailureBudgetUse(campaign.name(), campaign.status().uid(), used));
            }
        }
        return budgets.size() > SiteHead.MAX_BUDGET_USES ? null : budgets;
    }

    @Override
    public long windowClosesAt(Rollout rollout, ClusterState cluster, Instant now) {
        return rows.calendars.closesAt(rollout, cluster, now.toEpochMilli());
    }

    @Override
    public @Nullable Instant windowOpensAt(Rollout rollout, ClusterState cluster, Instant now, long takes) {
        return rows.calendars.opensAt(rollout, cluster, now.toEpochMilli(), takes);
    }

    @Override
    public long expectedDurationMillis(Rollout rollout, MachineView machine) {
        return rows.calendars.expectedDurationMillis(rollout, machine);
    }

    @Override
    public @Nullable TimeZoneName timeZoneOf(ClusterState cluster) {
        return rows.calendars.zoneOf(cluster);
    }

    @Override
    public List<MaintenanceWindow> windows(Rollout rollout, ClusterState cluster) {
        return rows.calendars.windows(rollout, cluster);
    }

    @Override
    public boolean knowsTimeZone(TimeZoneName zone) {
        return rows.calendars.knows(zone);
    }

    /** The time zones that windows are asked about: somebody has to say what their rules are. */
    public Collection<TimeZoneName> neededTimeZones() {
        return rows.calendars.zones(rows.rollouts.named());
    }

    /** The rules of a time zone as they were last said; null while nobody has. */
    public @Nullable TimeZoneRules timeZoneRules(TimeZoneName name) {
        return rows.zones.get(name);
    }

    @Override
    public @Nullable CampaignName overlappingCampaign(CampaignRollout campaign) {
        return campaign.overlaps().first();
    }

    @Override
    public CampaignConstraints.@Nullable CampaignDependency unmetDependency(CampaignRollout campaign) {
        return rows.rollouts.unmet(campaign);
    }

    @Override
    public boolean isPartlyUnrestored(CampaignRollout campaign) {
        return rows.unread.any(campaign, null);
    }

    @Override
    public boolean isPartlyUnrestored(CampaignRollout campaign, WaveProgress wave) {
        return rows.unread.any(campaign, wave);
    }

    /** All rows of a site have been read: what is not there does not exist. */
    public void markRestored(SiteId id) {
        if (rows.markRestored(id)) {
            rows.rollouts.touchAll();
            nextStartSelector.candidatesMayHaveChanged();
        }
    }

    /** Machines of a campaign that have failed, with those that were given up in sites that were written off. */
    public int failed(CampaignRollout campaign) {
        return campaign.failed() + rows.unread.writtenOff(campaign);
    }

    @Override
    public @Nullable UpgradePolicy policy(PolicyScope scope) {
        return rows.policies.get(scope);
    }

    @Override
    public OperatorOrderTable orders() {
        return rows.orders;
    }

    /** A campaign's row as its operator wrote it, if it is there. */
    public @Nullable Campaign campaign(CampaignName name) {
        return rows.campaigns.get(name);
    }

    @Override
    public @Nullable CampaignRollout rollout(CampaignName name) {
        return rows.rollouts.campaigns().get(name);
    }

    /** The waves of a name's campaigns that there are rows of, those of waves it no longer has included. */
    public List<WaveKey> waveRows(CampaignName name) {
        return rows.rollouts.waves().keySet().stream()
                .filter(key -> key.campaign().equals(name))
                .sorted(Comparator.comparing(WaveKey::wave))
                .toList();
    }

    @Override
    public @Nullable Rollout rollout(RolloutRef rolloutRef) {
        return rows.rollouts.of(rolloutRef);
    }

    public SortedMap<CampaignName, CampaignRollout> campaigns() {
        return rows.rollouts.campaigns();
    }

    /** Campaigns and intents in the order in which they may take machines. */
    public List<Rollout> rollouts() {
        return Collections.unmodifiableList(rows.rollouts.ordered());
    }

    public @Nullable UpgradeIntent intent(ObjectKey object) {
        SiteIntentsRollout site = rows.rollouts.intents().get(object.site());
        return site == null ? null : site.intent(object);
    }

    /** Whether an annotation may ask for what it asks for, as the policies say now. */
    public boolean allowsIntent(UpgradeIntent intent) {
        return intentRule(intent.object().site()).allows(intent.target());
    }

    /** How annotations of a site are followed, as the policies say now. */
    public IntentRule intentRule(SiteId site) {
        return SiteIntentsRollout.rule(policy(FleetScope.FLEET), policy(site));
    }

    public @Nullable RejectedRecord rejected(RejectedRecordKey key) {
        return rows.rejected.get(key);
    }

    /** What was rejected, by where it stands. */
    public RejectedRecordTable rejections() {
        return rows.rejected;
    }

    /** Rejected records, all of them. */
    public Collection<RejectedRecord> rejected() {
        return rows.rejected.all();
    }

    @Override
    public boolean isUnreadable(RowKey place) {
        return rows.rejected.isUnreadable(place);
    }

    @Override
    public boolean hasUnreadable() {
        return rows.rejected.anyUnreadable();
    }

    /** What is known of how long attempts may take in a site. */
    public AttemptTimeouts timeoutsOf(SiteId site) {
        return AttemptTimeouts.of(rows.policies.get(FleetScope.FLEET), rows.policies.get(site));
    }

    @Override
    public Duration heartbeatTimeout(SiteId site) {
        return AttemptTimeouts.heartbeatTimeout(policy(FleetScope.FLEET), policy(site));
    }

    /** An owner or a cluster whose status row does not show how far its intent is; null for none. */
    public @Nullable ObjectKey nextStaleIntentStatus() {
        return rows.objects.stale();
    }

    public @Nullable SiteStatus nextStaleSiteStatus() {
        return rows.siteBoard.due();
    }

    /** How an owner's or a cluster's intent is to be shown; null where it has none. */
    public @Nullable IntentStatus currentIntentStatus(ObjectKey object) {
        return rows.due(object);
    }

    /** A machine whose attempt has to be looked at by now: its licence ends, or its time is up. Null for none. */
    public @Nullable MachineView nextDueAttempt(Instant now) {
        return rows.dueAttempt(now);
    }

    /** Looks at an attempt again at an instant and not before, unless its row changes. */
    public void recheckAttemptAt(MachineView machine, Instant until) {
        rows.timers.set(machine.row(), until.toEpochMilli());
    }

    /** The next machine whose licence something has changed about; it is not returned again for that. Null for none. */
    public @Nullable MachineView pollLeaseReview() {
        return rows.pollLicence();
    }

    /** A machine that was quarantined before its campaign's last retry order; null for none. */
    public @Nullable MachineView nextRetriableMachine() {
        return retriable.first(new MachineView(rows.inventory.machines(), -1));
    }

    /** A machine without an inventory row whose status row nothing needs any more; null for none. */
    public @Nullable MachineView nextForgettableMachine() {
        return forgettable.first(new MachineView(rows.inventory.machines(), -1));
    }

    /**
     * A campaign about whose waves or end something may have to be decided; it is not returned again before a row of its own or a
     * cluster of it is put. Null for none.
     */
    public @Nullable CampaignRollout pollTouchedCampaign() {
        List<CampaignRollout> campaigns = rows.rollouts.named();
        for (int i = 0; i < campaigns.size(); i++) {
            CampaignRollout campaign = campaigns.get(i);
            if (campaign.isTouched() && !rows.rejected.isParked(campaign.name())) {
                campaign.clearTouched();
                return campaign;
            }
        }
        return null;
    }

    /** How many millionths of what it selects a wave of a campaign has to take for its percentage or count. */
    public int waveShareOf(CampaignRollout campaign, WaveProgress wave) {
        return WaveShareCalculator.calculate(
                campaign,
                campaign.waves().indexOf(wave),
                rows.inventory.clusters().values(),
                rows.backlogs);
    }

    /** The machine that goes first among all that may start now, as the decision of this number; null for none. */
    public @Nullable StartCandidate selectNextStart(GateEvaluator gateEvaluator, Instant now, long seq) {
        return nextStartSelector.selectNext(gateEvaluator, now, seq);
    }

    /** Asks about one machine on behalf of one rollout, whatever the queues say. Null where it is no member. */
    public @Nullable StartCandidate candidateOf(Rollout rollout, MachineView machine, Instant now) {
        return nextStartSelector.candidate(rollout, machine, now);
    }

    /** When something falls due by itself next, in milliseconds; {@link Long#MAX_VALUE} for never. */
    public long nextTimerAt() {
        return Math.min(rows.timers.nextDueMillis(), Math.min(rows.rollouts.nextWake(), rows.calendars.nextEdge()));
    }
}
