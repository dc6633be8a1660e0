package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.OperatorOrderTable;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries of gates to the fleet's state. */
public interface FleetStateReader {
    FleetHead head();

    /** The machines of a cluster, by key. */
    List<MachineView> machines(ClusterState cluster);

    /** All machines in flight, including foreign ones. */
    int inFlight();

    /**
     * Open clusters with machines left and none in flight, in which Cluster API may ask for one at any time.
     *
     * @param site null for all sites
     * @param campaign null for those of all campaigns
     */
    int idleOpenClusters(@Nullable SiteId site, @Nullable RolloutRef campaign);

    /** The intent of an object; null for none. */
    @Nullable
    UpgradeIntent intent(ObjectKey object);

    /** Machines with a command to prepare them out; more than any cap if a site's rows were not read. */
    int preparing();

    /** Machines in flight in unrestored sites that a campaign selects, which may all be its own. */
    int unrestoredInFlight(CampaignRollout campaign);

    /** A campaign's budget use in such sites; more than any budget if unknown. */
    int unrestoredBudgetUsed(CampaignRollout campaign);

    /**
     * When the open windows of a cluster close; -1 if a required window is closed, a large number if no window applies.
     */
    long windowClosesAt(Rollout rollout, ClusterState cluster, Instant now);

    /** When windows are next open for at least this duration; null if unknown. */
    @Nullable
    Instant windowOpensAt(Rollout rollout, ClusterState cluster, Instant now, long takes);

    /** The expected duration of an attempt of a machine, in milliseconds. */
    long expectedDurationMillis(Rollout rollout, MachineView machine);

    /** The time zone of a cluster; null if unknown. */
    @Nullable
    TimeZoneName timeZoneOf(ClusterState cluster);

    /** The windows of a rollout in a cluster: those of the site's policy and its own. */
    List<MaintenanceWindow> windows(Rollout rollout, ClusterState cluster);

    /** Whether the rules of a time zone are known. */
    boolean knowsTimeZone(TimeZoneName zone);

    /** An earlier campaign with another target for shared machines, without an approved overlap; null for none. */
    @Nullable
    CampaignName overlappingCampaign(CampaignRollout campaign);

    /** An unfulfilled dependency of a campaign; null for none. */
    @Nullable
    CampaignDependency unmetDependency(CampaignRollout campaign);

    /** Whether a campaign selects an unrestored site, so that its progress there is unknown. */
    boolean isPartlyUnrestored(CampaignRollout campaign);

    /** The accepted policy of the fleet or a site. */
    @Nullable
    UpgradePolicy policy(PolicyScope scope);

    /** What the policy of a site says about its intents, else the fleet's. */
    UpgradePolicy.IntentRule intentRule(SiteId site);

    /** The orders in force. */
    OperatorOrderTable orders();

    /** An accepted campaign. */
    @Nullable
    CampaignRollout rollout(CampaignName name);

    /** Whether the newest record of this key is unreadable. */
    boolean isUnreadable(RowKey place);

    /** Whether any record is unreadable; if not, no key needs a check. */
    boolean hasUnreadable();

    /** The heartbeat timeout of a site. */
    Duration heartbeatTimeout(SiteId site);

    /** Machines that have an inventory row. */
    int machines();

    /** The rollout of a reference; null if it does not exist any more. */
    @Nullable
    Rollout rollout(RolloutRef rolloutRef);

    /** Whether one of its waves selects such a site. */
    boolean isPartlyUnrestored(CampaignRollout campaign, WaveProgress wave);
}
