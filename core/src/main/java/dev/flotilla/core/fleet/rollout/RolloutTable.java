package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.RevisionVersionIndex;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.limits.FailureCohortDetector;
import dev.flotilla.core.fleet.limits.TopologyDomainCounter;
import dev.flotilla.core.fleet.time.MachineTimerQueue;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Campaigns and intents in the order in which they may take machines. */
public final class RolloutTable {
    private static final Comparator<CampaignRollout> ORDER = Comparator.comparingInt(
                    (CampaignRollout campaign) -> -campaign.spec().priority())
            .thenComparingLong(campaign -> campaign.status().uid());

    private final FleetInventory inventory;
    private final UnrestoredSites unread;
    private final ClusterBacklogTable backlogs;
    private final StartQueueTable startQueues;
    private final SortedMap<SiteId, SiteIntentsRollout> intents = new TreeMap<>();
    private final SortedMap<CampaignName, CampaignRollout> campaigns = new TreeMap<>();
    private final Map<WaveKey, WaveStatus> waves = new LinkedHashMap<>();
    private List<Rollout> ordered = List.of();
    private List<Rollout> ranked = List.of();
    private List<CampaignRollout> named = List.of();
    private List<CampaignRollout> sorted = List.of();

    public RolloutTable(
            FleetInventory inventory,
            UnrestoredSites unread,
            ClusterBacklogTable backlogs,
            StartQueueTable startQueues) {
        this.inventory = inventory;
        this.unread = unread;
        this.backlogs = backlogs;
        this.startQueues = startQueues;
    }

    /** All rollouts in the order in which they may claim machines. */
    public List<Rollout> ordered() {
        return ordered;
    }

    /** All rollouts by priority, the order in which they may take slots. */
    public List<Rollout> ranked() {
        return ranked;
    }

    /** The campaigns in the order in which they may take machines, after all intents. */
    public List<CampaignRollout> sorted() {
        return sorted;
    }

    /** The campaigns by name. */
    public List<CampaignRollout> named() {
        return named;
    }

    public SortedMap<CampaignName, CampaignRollout> campaigns() {
        return Collections.unmodifiableSortedMap(campaigns);
    }

    public SortedMap<SiteId, SiteIntentsRollout> intents() {
        return Collections.unmodifiableSortedMap(intents);
    }

    /** The intents of a site; null if it never had any. */
    public @Nullable SiteIntentsRollout findIntents(SiteId site) {
        return intents.get(site);
    }

    /** The intents of a site, created if missing. */
    public SiteIntentsRollout intents(SiteId site) {
        SiteIntentsRollout known = intents.get(site);
        if (known == null) {
            SiteState home = inventory.site(site);
            known = new SiteIntentsRollout(home, new RevisionVersionIndex(inventory.machines()));
            inventory.touch(home);
            intents.put(site, known);
            sortRollouts();
        }
        return known;
    }

    /** The rollout of a reference; null if it does not exist any more. */
    public @Nullable Rollout of(RolloutRef rolloutRef) {
        return switch (rolloutRef) {
            case RolloutRef.CampaignRef by -> {
                CampaignRollout campaign = campaigns.get(by.name());
                yield campaign != null && campaign.status().uid() == by.uid() ? campaign : null;
            }
            case RolloutRef.IntentRef by -> {
                SiteIntentsRollout of = intents.get(by.object().site());
                UpgradeIntent intent = of == null ? null : of.intent(by.object());
                yield of != null
                                && intent != null
                                && intent.requestedAt().equals(by.requestedAt())
                                && of.ifAllowed(intent) != null
                        ? of
                        : null;
            }
        };
    }

    /** Applies a campaign's row; returns whether leases must be reviewed. */
    public boolean put(CampaignStatus row) {
        CampaignRollout known = campaigns.get(row.name());
        if (known != null && known.status().uid() == row.uid()) {
            boolean restarted = known.status().state() != row.state()
                    || known.status().retriedBeforeSeq() != row.retriedBeforeSeq()
                    || !known.status().approvals().equals(row.approvals());
            boolean reshaped = known.updateStatus(row);
            if (reshaped) {
                known.putWaves(waves.values());
                dropBacklogs(known);
                sortRollouts();
            }
            if (reshaped || restarted) {
                inventory.touchAll();
            }
            return reshaped || restarted;
        }
        if (known != null) {
            remove(row.name());
        }
        CampaignRollout campaign = new CampaignRollout(inventory.machines(), row);
        campaigns.put(row.name(), campaign);
        campaign.putWaves(waves.values());
        sortRollouts();
        inventory.touchAll();
        return true;
    }

    public void remove(CampaignName name) {
        CampaignRollout campaign = campaigns.remove(name);
        if (campaign != null) {
            dropBacklogs(campaign);
            sortRollouts();
            inventory.touchAll();
        }
    }

    /** Marks a campaign: its completion may need a decision. */
    public void touch(CampaignName name) {
        CampaignRollout campaign = campaigns.get(name);
        if (campaign != null) {
            campaign.touch();
        }
    }

    /**
     * Applies a wave's row; returns a changed duration that windows must know, as {@link CampaignRollout#putWave} does.
     */
    public long put(WaveStatus row) {
        WaveStatus before = waves.put(row.key(), row);
        CampaignRollout campaign = campaigns.get(row.key().campaign());
        long paced = 0;
        if (campaign != null && campaign.status().uid() == row.campaignUid()) {
            paced = campaign.putWave(row, true);
            boolean same = before != null
                    && before.campaignUid() == row.campaignUid()
                    && Objects.equals(before.sharePartsPerMillion(), row.sharePartsPerMillion())
                    && (before.openedAt() == null) == (row.openedAt() == null)
                    && (before.approvedBy() == null) == (row.approvedBy() == null)
                    && (before.closedAt() == null) == (row.closedAt() == null);
            if (!same) {
                inventory.touchAll();
            }
        }
        return paced;
    }

    public void removeWave(WaveKey key) {
        WaveStatus before = waves.remove(key);
        CampaignRollout campaign = campaigns.get(key.campaign());
        if (before != null && campaign != null && campaign.status().uid() == before.campaignUid()) {
            campaign.putWave(before, false);
            inventory.touchAll();
        }
    }

    /** Finds the campaigns whose start or deadline has come. */
    public void advance(Instant now) {
        for (int i = 0; i < named.size(); i++) {
            CampaignRollout campaign = named.get(i);
            updateClaim(campaign, now);
            if (campaign.wakeAt <= now.toEpochMilli()) {
                campaign.wakeAt = MachineTimerQueue.NEVER;
                campaign.touch();
            }
        }
    }

    /** Applies a changed rule for intents; returns the objects whose intents it decides differently. */
    public List<ObjectKey> applyIntentRule(SiteIntentsRollout annotations, IntentRule rule) {
        int before = annotations.priority();
        List<ObjectKey> changed = annotations.applyRule(rule);
        if (annotations.priority() != before) {
            sortRollouts();
        }
        return changed;
    }

    /** Updates what depends on other rollouts, cohorts, targets or domains; returns whether anything changed. */
    public boolean updateDependents(Instant now) {
        boolean others = updateClaims(now);
        boolean cohorts = updateClosedCohorts();
        boolean targets = touchClustersOfChangedTargets();
        return touchClustersOfChangedDomains() || others || cohorts || targets;
    }

    /** Updates whether campaigns with dependencies claim machines; returns whether any changed. */
    private boolean updateClaims(Instant now) {
        boolean hasChanged = false;
        for (int i = 0; i < named.size(); i++) {
            hasChanged |= updateClaim(named.get(i), now);
        }
        return hasChanged;
    }

    /** Updates the closed cohorts of campaigns; returns whether any changed. */
    private boolean updateClosedCohorts() {
        boolean hasChanged = false;
        for (int i = 0; i < named.size(); i++) {
            FailureCohortDetector cohorts = named.get(i).cohorts();
            hasChanged |= cohorts != null && cohorts.updateClosedCohorts();
        }
        if (hasChanged) {
            inventory.touchAll();
        }
        return hasChanged;
    }

    /** Marks the clusters with machines of a label value that became full or has room again. */
    private boolean touchClustersOfChangedDomains() {
        boolean hasChanged = false;
        for (int i = 0; i < named.size(); i++) {
            CampaignRollout campaign = named.get(i);
            TopologyDomainCounter domains = campaign.domains();
            List<ClusterKey> concerned = domains == null
                    ? List.of()
                    : domains.updateFullDomains(
                            unread.inFlight(campaign.spec().select().sites()) + inFlightWithoutRow(campaign));
            for (ClusterKey key : concerned) {
                inventory.touch(inventory.cluster(key));
                hasChanged = true;
            }
        }
        return hasChanged;
    }

    /** A campaign's machines in flight whose inventory rows, and so labels, are deleted. */
    private int inFlightWithoutRow(CampaignRollout campaign) {
        int inFlight = 0;
        for (ClusterState cluster : inventory.placeholderClusters()) {
            ClusterBacklog clusterBacklog = backlogs.find(cluster, campaign);
            inFlight += clusterBacklog == null ? 0 : clusterBacklog.counts().inFlight();
        }
        return inFlight;
    }

    /** Marks all campaigns: their waves or completion may need a decision. */
    public void touchAll() {
        named.forEach(CampaignRollout::touch);
    }

    /** Marks the clusters of sites where more is known about a target of intents, or where a machine has ended. */
    private boolean touchClustersOfChangedTargets() {
        boolean hasChanged = false;
        for (SiteIntentsRollout annotations : intents.values()) {
            if (annotations.targets().pollChanged()) {
                for (ClusterState cluster : inventory.clusters().values()) {
                    if (backlogs.find(cluster, annotations) != null) {
                        inventory.touch(cluster);
                        hasChanged = true;
                    }
                }
            }
        }
        return hasChanged;
    }

    /** Updates one campaign. A waiting campaign claims nothing, because its dependency may need the same machines. */
    private boolean updateClaim(CampaignRollout campaign, Instant now) {
        boolean hasChanged = campaign.updateActive(
                now, unmet(campaign) == null && campaign.overlaps().first() == null);
        if (hasChanged) {
            campaign.touch();
            inventory.touchAll();
        }
        return hasChanged;
    }

    /** An unfulfilled dependency of a campaign; null for none. */
    public @Nullable CampaignDependency unmet(CampaignRollout campaign) {
        List<CampaignDependency> all = campaign.spec().dependsOn();
        for (int i = 0; i < all.size(); i++) {
            CampaignDependency one = all.get(i);
            CampaignRollout other = campaigns.get(one.campaign());
            boolean completed = other != null && other.status().state() == CampaignState.COMPLETED;
            boolean known = completed || (other != null && !unread.any(other, null));
            if (other == null || !known || !other.hasSucceeded(one.successPercent())) {
                return one;
            }
        }
        return null;
    }

    /** When a campaign next needs a decision without any change of rows. */
    public long nextWake() {
        long next = MachineTimerQueue.NEVER;
        for (int i = 0; i < named.size(); i++) {
            next = Math.min(next, named.get(i).wakeAt);
        }
        return next;
    }

    private void dropBacklogs(CampaignRollout campaign) {
        inventory.clusters().values().forEach(cluster -> backlogs.remove(cluster, campaign, 0));
        inventory.placeholderClusters().forEach(cluster -> backlogs.remove(cluster, campaign, 0));
        startQueues.remove(campaign);
        campaign.resetCounts();
    }

    private void sortRollouts() {
        named = List.copyOf(campaigns.values());
        sorted = named.stream().sorted(ORDER).toList();
        List<Rollout> next = new ArrayList<>(intents.values());
        next.addAll(sorted);
        ordered = next;
        ranked = next.stream()
                .sorted(Comparator.comparingInt(rollout -> -rollout.priority()))
                .toList();
    }

    public Map<WaveKey, WaveStatus> waves() {
        return waves;
    }
}
