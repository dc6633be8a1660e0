package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.OperatorOrderTable;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What gates may ask of the fleet's state. */
public interface FleetStateReader {
    FleetHead head();

    /** The machines of a cluster, by key. */
    List<MachineView> machines(ClusterState cluster);

    /** Machines in flight anywhere, foreign ones included. */
    int inFlight();

    /** Machines in flight in sites that a campaign selects and that cannot be read: its own, for all that is known. */
    int unrestoredInFlight(CampaignRollout campaign);

    /** What was used of a campaign's failure budget in such sites: a number above any budget where nobody knows. */
    int unrestoredBudgetUsed(CampaignRollout campaign);

    /** When the windows close that are open in a cluster now; -1 where one that counts is not, a large number where none counts. */
    long windowClosesAt(Rollout rollout, ClusterState cluster, Instant now);

    /** When windows are open next for as long as an attempt takes, in milliseconds; null where that is not known. */
    @Nullable
    Instant windowOpensAt(Rollout rollout, ClusterState cluster, Instant now, long takes);

    /** How long an attempt of a machine is likely to take, in milliseconds. */
    long expectedDurationMillis(Rollout rollout, MachineView machine);

    /** In which time zone a cluster is; null where nobody says. */
    @Nullable
    TimeZoneName timeZoneOf(ClusterState cluster);

    /** The windows that a rollout has to keep in a cluster: those of the site's policy, and its own. */
    List<MaintenanceWindow> windows(Rollout rollout, ClusterState cluster);

    /** Whether the rules of a time zone are known. */
    boolean knowsTimeZone(TimeZoneName zone);

    /** An earlier campaign that wants machines of this one elsewhere, which nobody has approved of; null for none. */
    @Nullable
    CampaignName overlappingCampaign(CampaignRollout campaign);

    /** What a campaign depends on and has not come so far yet; null for nothing. */
    CampaignConstraints.@Nullable CampaignDependency unmetDependency(CampaignRollout campaign);

    /** Whether a campaign selects a site whose rows were not read, so that nobody knows how it stands there. */
    boolean isPartlyUnrestored(CampaignRollout campaign);

    /** The accepted policy of the fleet or a site. */
    @Nullable
    UpgradePolicy policy(PolicyScope scope);

    /** The orders that count. */
    OperatorOrderTable orders();

    /** A campaign that has been accepted. */
    @Nullable
    CampaignRollout rollout(CampaignName name);

    /** Whether a record that would say this cannot be read. */
    boolean isUnreadable(RowKey place);

    /** Whether a policy, order or campaign order that cannot be read keeps anything from being checked at all. */
    boolean hasUnreadable();

    /** How old a site's heartbeat may be before it is silent. */
    Duration heartbeatTimeout(SiteId site);

    /** Machines that have an inventory row. */
    int machines();

    /** The rollout that a driver stands for, if it still does. */
    @Nullable
    Rollout rollout(RolloutRef rolloutRef);

    /** Whether one of its waves does. */
    boolean isPartlyUnrestored(CampaignRollout campaign, WaveProgress wave);
}
