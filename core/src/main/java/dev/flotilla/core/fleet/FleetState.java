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
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * All rows that matter to decisions, and the state derived from them.
 *
 * <p>The rows change only by {@link #put}; puts of different keys commute, and {@link #hash} covers all rows. Derived
 * state is counts, queues and timers: it follows from the rows and the time, and {@link #refreshDerivedState} updates
 * it before it is read.
 */
public final class FleetState implements FleetStateReader {
    /** An unknown use is more than any budget. */
    public static final int UNKNOWN_USE = UnrestoredSites.UNKNOWN;

    private final RowStore rows = new RowStore();
    private final RetriableMachineIndex retriable = new RetriableMachineIndex(rows.backlogs);
    private final ForgettableMachineIndex forgettable =
            new ForgettableMachineIndex(rows.rollouts, rows.rejected::isParked);
    private final ClusterRecounter clusterRecounter = new ClusterRecounter(
            this, rows.inventory, rows.rollouts, rows.backlogs, rows.startQueues, rows.objects, retriable, forgettable);
    private final OpenClusters openClusters = new OpenClusters(rows);
    private final StateHash stateHash = new StateHash(rows);
    private final NextStartSelector nextStartSelector = new NextStartSelector(
            this,
            rows.rollouts,
            rows.backlogs,
            rows.startQueues,
            rows.inventory.machines(),
            rows.reviews::reschedule,
            this::refreshDerivedState);
    private final DueWorkQueue dueWork = new DueWorkQueue(rows, retriable, forgettable, clusterRecounter, openClusters);

    /** Applies a row change. Rows change only here. */
    public void put(RowChange rowChange) {
        rows.put(rowChange);
        candidatesMayHaveChanged();
    }

    private void candidatesMayHaveChanged() {
        nextStartSelector.candidatesMayHaveChanged();
        clusterRecounter.candidatesMayHaveChanged();
    }

    /** A hash over all rows, independent of their order. */
    public long hash() {
        return stateHash.compute();
    }

    /** The same hash, computed only from the rows put since the last call. */
    public long quickHash() {
        return stateHash.computeIncrementally();
    }

    /** Updates the derived state as of an instant. */
    public void refreshDerivedState(GateEvaluator gateEvaluator, Instant now) {
        rows.rollouts.advance(now);
        if (rows.calendars.pollEdges(rows.rollouts.named(), now.toEpochMilli())) {
            rows.inventory.touchAll();
        }
        rows.reviews.expireRetries(now);
        recountTouched(gateEvaluator, now);
        if (rows.rollouts.updateDependents(now)) {
            recountTouched(gateEvaluator, now);
        }
    }

    private void recountTouched(GateEvaluator gateEvaluator, Instant now) {
        clusterRecounter.recountTouched(gateEvaluator, now);
        for (ObjectKey object = rows.objects.nextTouched(); object != null; object = rows.objects.nextTouched()) {
            rows.objects.compare(object, rows.currentIntentStatus(object));
        }
    }

    /** The due work except starts. */
    public DueWorkQueue dueWork() {
        return dueWork;
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

    /** The machines that an intent of an object is about. */
    public List<MachineView> machinesOf(ObjectKey object) {
        return rows.machinesOf(object);
    }

    /** A page of machines after a cursor, limited in clusters and machines together. */
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
    public int preparing() {
        return rows.unread.hasAwaited() ? UNKNOWN_USE : clusterRecounter.preparing();
    }

    @Override
    public int unrestoredInFlight(CampaignRollout campaign) {
        return rows.unread.inFlight(campaign.spec().select().sites());
    }

    @Override
    public int unrestoredBudgetUsed(CampaignRollout campaign) {
        return rows.unread.budgetUsed(campaign);
    }

    /** The budget use of campaigns in a site; null if unknown. */
    public @Nullable List<FailureBudgetUse> budgetsUsed(SiteId id) {
        return SiteBudgetUseCalculator.calculate(id, rows.inventory.sites().get(id), rows.rollouts.named());
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

    /** The time zones that windows need rules of. */
    public Collection<TimeZoneName> neededTimeZones() {
        return rows.calendars.zones(rows.rollouts.named());
    }

    /** The last rules of a time zone; null if unknown. */
    public @Nullable TimeZoneRules timeZoneRules(TimeZoneName name) {
        return rows.zones.get(name);
    }

    @Override
    public @Nullable CampaignName overlappingCampaign(CampaignRollout campaign) {
        return campaign.overlaps().first();
    }

    @Override
    public @Nullable CampaignDependency unmetDependency(CampaignRollout campaign) {
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

    /** Marks a site as restored: all its rows have been read, and a missing row does not exist. */
    public void markRestored(SiteId id) {
        if (rows.markRestored(id)) {
            rows.rollouts.touchAll();
            candidatesMayHaveChanged();
        }
    }

    /** Failed machines of a campaign, including those in sites that were written off. */
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

    /** A campaign's row as its operator wrote it; null for none. */
    public @Nullable Campaign campaign(CampaignName name) {
        return rows.campaigns.get(name);
    }

    @Override
    public @Nullable CampaignRollout rollout(CampaignName name) {
        return rows.rollouts.campaigns().get(name);
    }

    /** The keys of all wave rows of a campaign, including removed waves. */
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

    /** Rollouts in the order in which they may take machines. */
    public List<Rollout> rollouts() {
        return Collections.unmodifiableList(rows.rollouts.ordered());
    }

    @Override
    public int idleOpenClusters(@Nullable SiteId site, @Nullable RolloutRef campaign) {
        return openClusters.countIdle(site, campaign);
    }

    @Override
    public @Nullable UpgradeIntent intent(ObjectKey object) {
        SiteIntentsRollout site = rows.rollouts.intents().get(object.site());
        return site == null ? null : site.intent(object);
    }

    /** Whether the current policies allow an intent. */
    public boolean allowsIntent(UpgradeIntent intent) {
        return intentRule(intent.object().site()).allows(intent.target());
    }

    /** The current rule for intents of a site. */
    @Override
    public IntentRule intentRule(SiteId site) {
        return SiteIntentsRollout.rule(policy(FleetScope.FLEET), policy(site));
    }

    /** What the policies allow in a site, for its watcher. */
    public SiteAnnotationRules annotationRules(SiteId site) {
        return rows.siteBoard.annotationRules(site);
    }

    public @Nullable RejectedRecord rejected(RejectedRecordKey key) {
        return rows.rejected.get(key);
    }

    /** The rejected records by key. */
    public RejectedRecordTable rejections() {
        return rows.rejected;
    }

    /** All rejected records. */
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

    /** The attempt timeouts of a site. */
    public AttemptTimeouts timeoutsOf(SiteId site) {
        return AttemptTimeouts.of(rows.policies.get(FleetScope.FLEET), rows.policies.get(site));
    }

    @Override
    public Duration heartbeatTimeout(SiteId site) {
        return AttemptTimeouts.heartbeatTimeout(policy(FleetScope.FLEET), policy(site));
    }

    /** The share, in millionths, that a wave must take for its percentage or count. */
    public int waveShareOf(CampaignRollout campaign, WaveProgress wave) {
        return WaveShareCalculator.calculate(
                campaign,
                campaign.waves().indexOf(wave),
                rows.inventory.clusters().values(),
                rows.backlogs);
    }

    /** The first machine that may start now, in the decision of this number; null for none. */
    public @Nullable StartCandidate selectNextStart(GateEvaluator gateEvaluator, Instant now, long seq) {
        return nextStartSelector.selectNext(gateEvaluator, now, seq);
    }

    /** A machine as a start candidate of one rollout, whatever the queues say; null if it is no member. */
    public @Nullable StartCandidate candidateOf(Rollout rollout, MachineView machine, Instant now) {
        return nextStartSelector.candidate(rollout, machine, now);
    }
}
