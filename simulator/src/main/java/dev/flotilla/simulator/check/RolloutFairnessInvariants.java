package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which rollout gets the next slot: the one with the highest priority, and among equal ones the one with the fewest
 * machines in flight for its weight. Checked only against campaigns and intents that nothing else holds up, and that
 * have a machine which can plainly start.
 */
final class RolloutFairnessInvariants {
    /** Finding a free machine costs time in proportion to the fleet, so larger fleets are not checked. */
    private static final int MAX_MACHINES = 100;

    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final ClusterWaveAssignment waves;
    private final CampaignDependencies campaignDependencies;
    private final RolloutPrecedenceInvariants intents;
    private final MaintenanceWindowInvariants windows;
    private final VersionSkewInvariants versions;
    private final CampaignOverlapInvariants overlaps;
    private final CampaignPolicyInvariants policies;

    RolloutFairnessInvariants(
            ReferenceFleetState rows,
            ViolationLog violationLog,
            RolloutMembers rolloutMembers,
            MaintenanceWindowInvariants windows,
            CampaignPolicyInvariants mandates) {
        this.windows = windows;
        this.policies = mandates;
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.waves = new ClusterWaveAssignment(rows, rolloutMembers);
        this.campaignDependencies = new CampaignDependencies(rows, rolloutMembers);
        this.intents = new RolloutPrecedenceInvariants(rows, violationLog);
        this.versions = new VersionSkewInvariants(rows);
        this.overlaps = new CampaignOverlapInvariants(rows, rolloutMembers);
    }

    /** What decides which rollout goes first. */
    private record SlotPrecedence(int priority, long inFlight, long weight) {
        boolean isBefore(SlotPrecedence other) {
            return priority > other.priority
                    || (priority == other.priority && inFlight * other.weight < other.inFlight * weight);
        }
    }

    void check(MachineRow started, RolloutRef rolloutRef, Instant at) {
        CampaignStatus campaign = rows.campaign(rolloutRef);
        if (rows.machines().size() > MAX_MACHINES
                || (campaign == null && rolloutRef instanceof RolloutRef.CampaignRef)) {
            return;
        }
        SlotPrecedence own = campaign == null ? precedenceOf(started.key().site()) : precedenceOf(campaign);
        for (CampaignStatus other : rows.campaigns()) {
            boolean another = campaign == null || other.uid() != campaign.uid();
            if (another && precedenceOf(other).isBefore(own) && isUnrestricted(other, at)) {
                require(started, rolloutRef, "campaign " + other.name(), firstFreeMember(other, at));
            }
        }
        for (SiteId site : rows.sitesWithIntents()) {
            boolean another = campaign != null || !site.equals(started.key().site());
            if (another && precedenceOf(site).isBefore(own) && areIntentsUnrestricted(site)) {
                require(started, rolloutRef, "the annotations of " + site, firstFreeIntentMachine(site, at));
            }
        }
    }

    private void require(MachineRow started, RolloutRef rolloutRef, String other, @Nullable MachineRow free) {
        violationLog.require(
                free == null,
                Invariant.SLOT_FAIRNESS,
                started.key() + " started for " + rolloutRef + ", but the slot belonged to " + other + " for "
                        + (free == null ? "" : free.key()));
    }

    private SlotPrecedence precedenceOf(CampaignStatus campaign) {
        CampaignSpec spec = campaign.acceptedCampaign().spec();
        RolloutRef rolloutRef = rolloutRefOf(campaign);
        // A machine without an inventory row is in flight all the same.
        long inFlight = rows.statuses().stream()
                .filter(status -> ReferenceFleetState.inFlight(status, rolloutRef))
                .count();
        return new SlotPrecedence(spec.priority(), inFlight, spec.weight());
    }

    private SlotPrecedence precedenceOf(SiteId site) {
        long inFlight = rows.statuses().stream()
                .filter(status -> status.key().site().equals(site)
                        && status.attempt() != null
                        && status.attempt().rolloutRef() instanceof RolloutRef.IntentRef)
                .count();
        return new SlotPrecedence(rows.intentRule(site).priority(), inFlight, CampaignSpec.DEFAULT_WEIGHT);
    }

    private boolean areIntentsUnrestricted(SiteId site) {
        UpgradePolicy.IntentRule rule = rows.intentRule(site);
        return rule.maxInFlight() == null
                && rule.maxInFlightPerCluster() == null
                && rule.windows().isEmpty()
                && isAlwaysOpen(rows.policy(site))
                && isAlwaysOpen(rows.policy(FleetScope.FLEET))
                && !rows.unreadableRecords().existInFleet();
    }

    private static boolean isAlwaysOpen(@Nullable UpgradePolicy policy) {
        return policy == null || policy.calendar().windows().isEmpty();
    }

    /** A worker with an open intent that can plainly start, in a cluster whose control plane has nothing else to do. */
    private @Nullable MachineRow firstFreeIntentMachine(SiteId site, Instant at) {
        for (MachineRow machine : rows.machines()) {
            boolean here =
                    machine.role() == MachineRole.WORKER && machine.key().site().equals(site);
            UpgradeIntent intent = here && !machine.optOut() ? intents.firstOpenIntent(machine) : null;
            if (intent != null
                    && isFresh(machine, new RolloutRef.IntentRef(intent.object(), intent.requestedAt()))
                    && isIdle(machine.clusterKey(), at)
                    && versions.problemOf(intent, machine) == null) {
                return machine;
            }
        }
        return null;
    }

    private boolean isIdle(ClusterKey key, Instant at) {
        ClusterRow cluster = rows.cluster(key);
        if (cluster == null
                || cluster.paused()
                || cluster.hold()
                || rows.isUnreadable(key)
                || !rows.admittedMachines().departed(key).isEmpty()) {
            return false;
        }
        for (MachineRow machine : rows.machines(key)) {
            MachineStatus status = rows.status(machine.key());
            boolean undone = machine.role() == MachineRole.CONTROL_PLANE
                    && (intents.firstOpenIntent(machine) != null
                            || (status != null
                                    && status.entries().stream()
                                            .anyMatch(entry -> !entry.outcome().isAtTarget())));
            if (undone || !machine.ready() || rows.isInFlightAnywhere(machine) || isSoaking(status, at)) {
                return false;
            }
        }
        return isOpen(key.site());
    }

    private static RolloutRef rolloutRefOf(CampaignStatus campaign) {
        return new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
    }

    private boolean isUnrestricted(CampaignStatus other, Instant at) {
        CampaignSpec spec = other.acceptedCampaign().spec();
        return other.state() == CampaignState.RUNNING
                && spec.caps().maxInFlight() == null
                && spec.failureBudget() == null
                && spec.cohortCircuitBreaker() == null
                && spec.caps().domains().isEmpty()
                && !spec.cluster().strict()
                && (spec.startAt() == null || !at.isBefore(spec.startAt()))
                && (spec.deadline() == null || at.isBefore(spec.deadline()))
                && !rows.unreadableRecords().existInFleet()
                && !rows.unreadableRecords().existInDependencies(spec.dependsOn())
                && !rows.grantedApprovals().isPending(other)
                && policies.permitsWithoutApproval(other)
                && !rows.isPartlyUnread(other)
                && overlaps.campaignWaitedFor(other, at) == null
                && campaignDependencies.areMet(other);
    }

    private @Nullable MachineRow firstFreeMember(CampaignStatus campaign, Instant at) {
        Map<ClusterKey, Boolean> open = new LinkedHashMap<>();
        for (MachineRow machine : rows.machines()) {
            if (machine.role() == MachineRole.WORKER
                    && isFresh(machine, rolloutRefOf(campaign))
                    && open.computeIfAbsent(machine.clusterKey(), key -> isOpen(key, campaign, at))
                    && isUnclaimed(machine, campaign)
                    && versions.problemOf(campaign, machine) == null
                    && windows.allowsStart(machine, campaign, at)) {
                return machine;
            }
        }
        return null;
    }

    private boolean isFresh(MachineRow machine, RolloutRef rolloutRef) {
        MachineStatus status = rows.status(machine.key());
        return rolloutMembers.isMember(machine, rolloutRef)
                && (status == null
                        || (status.attempt() == null
                                // Its upgrade waits for a preparation that runs.
                                && (status.preparation() == null
                                        || !status.preparation().isRunning())
                                && status.uid().equals(machine.uid())
                                && status.entries().size() < RolloutEntry.MAX_PER_MACHINE
                                && ReferenceFleetState.entry(status, rolloutRef) == null))
                && !machine.deleting()
                && !machine.hold()
                && !machine.paused()
                && machine.node() != null
                && rows.duplicateNodeInUse(machine) == null
                && machine.foreignActivities().isEmpty();
    }

    private boolean isOpen(ClusterKey key, CampaignStatus campaign, Instant at) {
        ClusterRow cluster = rows.cluster(key);
        Wave own = waves.of(campaign, key);
        WaveStatus wave = rows.wave(campaign, own.name());
        if (own.needsApprovalBefore() && !rows.grantedApprovals().isApproved(campaign, own.name())) {
            return false;
        }
        if (cluster == null || cluster.paused() || cluster.hold() || wave == null || wave.openedAt() == null) {
            return false;
        }
        if (rows.isUnreadable(key) || !rows.admittedMachines().departed(key).isEmpty()) {
            return false;
        }
        for (MachineRow machine : rows.machines(key)) {
            boolean done =
                    machine.role() == MachineRole.WORKER || rolloutMembers.isDone(machine, rolloutRefOf(campaign));
            if (!done
                    || !machine.ready()
                    || rows.isInFlightAnywhere(machine)
                    || isSoaking(rows.status(machine.key()), at)) {
                return false;
            }
        }
        return isOpen(key.site());
    }

    private static boolean isSoaking(@Nullable MachineStatus status, Instant at) {
        return status != null
                && status.entries().stream()
                        .anyMatch(entry -> entry.soakUntil() != null && at.isBefore(entry.soakUntil()));
    }

    private boolean isOpen(SiteId site) {
        SiteHead head = rows.siteHead(site);
        WatcherHeartbeat heartbeat = rows.heartbeat(site);
        if (rows.mayBeFrozen(site)
                || head == null
                || head.silentSince() != null
                || head.unreachableSince() != null
                || heartbeat == null
                || heartbeat.withheldRemovals() > 0) {
            return false;
        }
        UpgradePolicy own = rows.policy(site);
        UpgradePolicy fleet = rows.policy(FleetScope.FLEET);
        CountOrPercent cap = own != null && own.maxInFlight() != null
                ? own.maxInFlight()
                : fleet == null ? null : fleet.maxInFlightPerSite();
        int machines = 0;
        int inFlight = 0;
        for (MachineRow machine : rows.machines()) {
            boolean here = machine.key().site().equals(site);
            machines += here ? 1 : 0;
            inFlight += here && rows.isInFlightAnywhere(machine) ? 1 : 0;
        }
        for (MachineStatus status : rows.statuses()) {
            boolean nowhere = rows.machine(status.key()) == null;
            inFlight += nowhere && status.key().site().equals(site) && ReferenceFleetState.inFlight(status) ? 1 : 0;
        }
        return cap == null || inFlight < cap.of(machines);
    }

    private boolean isUnclaimed(MachineRow machine, CampaignStatus campaign) {
        if (intents.firstOpenIntent(machine) != null) {
            return false;
        }
        return rows.campaigns().stream()
                .noneMatch(other -> other.uid() != campaign.uid()
                        && !other.state().isOver()
                        && rolloutMembers.isMember(machine, rolloutRefOf(other))
                        && !rolloutMembers.isDone(machine, rolloutRefOf(other)));
    }
}
