package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for a start in the state that it was decided on: caps, the rules of the cluster, the failure budget.
 */
final class StartLimitInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final FailureBudgetInvariants budgets;
    private final FailureCohortInvariants cohorts;

    StartLimitInvariants(ReferenceFleetState rows, ViolationLog violationLog, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.budgets = new FailureBudgetInvariants(rows, violationLog, rolloutMembers);
        this.cohorts = new FailureCohortInvariants(rows, violationLog);
    }

    void check(MachineStatus started, UpgradeAttempt attempt, MachineRow machine, Instant at) {
        CampaignStatus campaign = rows.campaign(attempt.rolloutRef());
        checkCaps(started.key(), machine.clusterKey(), campaign, attempt.rolloutRef());
        checkCluster(machine, attempt, campaign);
        rows.admittedMachines().admit(attempt, machine);
        checkSoak(machine, at);
        if (campaign != null) {
            cohorts.check(started, machine, attempt.rolloutRef(), campaign);
            checkDomainCaps(machine, attempt.rolloutRef(), campaign);
        }
        if (campaign != null && campaign.acceptedCampaign().spec().failureBudget() != null) {
            budgets.check(
                    machine,
                    attempt,
                    campaign,
                    campaign.acceptedCampaign().spec().failureBudget());
        }
    }

    /** Looks at a decision before it is applied. */
    void checkDecision(Decision decision) {
        budgets.checkDecision(decision);
    }

    /** Requires that no running campaign exceeds its failure budget, once all due work is decided. */
    void checkBudgetBreaches() {
        budgets.requireNoBreach();
    }

    /**
     * Requires that the campaign's machines with one value of a label, in any site, do not exceed the cap in flight.
     * Machines in flight without an inventory row count for every value. A percentage refers to the machines that the
     * leader has read.
     */
    private void checkDomainCaps(MachineRow started, RolloutRef rolloutRef, CampaignStatus campaign) {
        for (TopologyDomainCap cap : campaign.acceptedCampaign().spec().caps().domains()) {
            String value = started.labels().get(cap.label());
            int inFlight = 1 + countInFlightWithoutRow(rolloutRef);
            int all = 0;
            for (MachineRow row : rows.machines()) {
                boolean sameValue = value != null && value.equals(row.labels().get(cap.label()));
                boolean read = !rows.isSiteUnread(row.key().site());
                all += sameValue && read && rolloutMembers.isMember(row, rolloutRef) ? 1 : 0;
                MachineStatus status = rows.status(row.key());
                boolean isInFlight = rows.holdsSlot(status) && ReferenceFleetState.inFlight(status, rolloutRef);
                inFlight += sameValue && isInFlight && !row.key().equals(started.key()) ? 1 : 0;
            }
            violationLog.require(
                    value == null || inFlight <= cap.maxInFlight().of(all),
                    Invariant.DOMAIN_CAP,
                    started.key() + " started as number " + inFlight + " of the machines of campaign " + campaign.name()
                            + " with " + cap.label() + " " + value + ", the cap is " + cap.maxInFlight() + " of "
                            + all);
        }
    }

    /** Machines in flight without an inventory row: each may have any value of a label. */
    private int countInFlightWithoutRow(RolloutRef rolloutRef) {
        int count = 0;
        for (MachineStatus status : rows.statuses()) {
            boolean isInFlight = rows.holdsSlot(status) && ReferenceFleetState.inFlight(status, rolloutRef);
            count += isInFlight && rows.machine(status.key()) == null ? 1 : 0;
        }
        return count;
    }

    private void checkSoak(MachineRow machine, Instant at) {
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            MachineStatus status = rows.status(other.key());
            if (status != null) {
                for (RolloutEntry entry : status.entries()) {
                    violationLog.require(
                            entry.soakUntil() == null || !at.isBefore(entry.soakUntil()),
                            Invariant.CLUSTER_SOAK,
                            () -> machine.key() + " started while its cluster soaks until " + entry.soakUntil());
                }
            }
        }
    }

    /** Requires that a success sets the cluster soak that its campaign or rule defines, if there was a call. */
    void checkSoakAfterSuccess(@Nullable MachineStatus before, MachineStatus now, Instant at) {
        for (RolloutEntry entry : now.entries()) {
            RolloutEntry known = ReferenceFleetState.entry(before, entry.rolloutRef());
            CampaignStatus campaign = rows.campaign(entry.rolloutRef());
            boolean isIntent = entry.rolloutRef() instanceof RolloutRef.IntentRef;
            if ((campaign != null || isIntent)
                    && entry.outcome() == MachineOutcome.SUCCEEDED
                    && known != null
                    && known.outcome() != MachineOutcome.SUCCEEDED) {
                Duration soak = campaign == null
                        ? rows.intentRule(now.key().site()).clusterSoak()
                        : campaign.acceptedCampaign().spec().cluster().soak();
                violationLog.require(
                        Objects.equals(entry.soakUntil(), soak.isZero() ? null : at.plus(soak)),
                        Invariant.CLUSTER_SOAK,
                        now.key() + " succeeded at " + at + " and its cluster soaks until " + entry.soakUntil()
                                + " instead of for " + soak);
            }
        }
    }

    private void checkCaps(
            MachineKey key, ClusterKey cluster, @Nullable CampaignStatus campaign, RolloutRef rolloutRef) {
        Set<MachineKey> fleet = new LinkedHashSet<>();
        Set<MachineKey> site = new LinkedHashSet<>();
        Set<MachineKey> inCluster = new LinkedHashSet<>();
        Set<MachineKey> ofCampaign = new LinkedHashSet<>();
        int machinesOfSite = 0;
        int machinesOfCluster = 0;
        int machines = 0;
        Set<MachineKey> slotHolders = slotHolders();
        for (MachineRow row : rows.machines()) {
            machines++;
            machinesOfSite += row.key().site().equals(key.site()) ? 1 : 0;
            machinesOfCluster += row.clusterKey().equals(cluster) ? 1 : 0;
            if (slotHolders.contains(row.key()) || row.foreignActivities().contains(ForeignActivity.FOREIGN)) {
                fleet.add(row.key());
                if (row.clusterKey().equals(cluster)) {
                    inCluster.add(row.key());
                }
            }
        }
        for (MachineStatus status : rows.statuses()) {
            if (rows.holdsSlot(status)) {
                fleet.add(status.key());
                UpgradeAttempt open = status.attempt();
                if (open != null && open.rolloutRef().equals(rolloutRef)) {
                    ofCampaign.add(status.key());
                }
            }
        }
        inCluster.addAll(rows.admittedMachines().departed(cluster));
        for (MachineKey inFlight : fleet) {
            if (inFlight.site().equals(key.site())) {
                site.add(inFlight);
            }
        }
        UpgradePolicy policy = rows.policy(FleetScope.FLEET);
        if (policy == null) {
            violationLog.addViolation(Invariant.NO_POLICY, key + " started without a fleet policy");
            return;
        }
        checkCap(Invariant.FLEET_CAP, "the fleet", key, fleet, policy.maxInFlight(), machines);
        checkCap(Invariant.SITE_CAP, "site " + key.site(), key, site, siteCap(policy, key.site()), machinesOfSite);
        if (campaign != null) {
            CampaignSpec spec = campaign.acceptedCampaign().spec();
            checkCap(
                    Invariant.CAMPAIGN_CAP,
                    "campaign " + campaign.name(),
                    key,
                    ofCampaign,
                    spec.caps().maxInFlight(),
                    rolloutMembers.countMembers(campaign));
            checkCap(
                    Invariant.CLUSTER_CAP,
                    "cluster " + cluster,
                    key,
                    inCluster,
                    spec.cluster().maxInFlight(),
                    machinesOfCluster);
        } else {
            UpgradePolicy.IntentRule rule = rows.intentRule(key.site());
            Set<MachineKey> ofIntents = new LinkedHashSet<>();
            for (MachineStatus status : rows.statuses()) {
                UpgradeAttempt open = status.attempt();
                if (ReferenceFleetState.inFlight(status)
                        && status.key().site().equals(key.site())
                        && open != null
                        && open.rolloutRef() instanceof RolloutRef.IntentRef) {
                    ofIntents.add(status.key());
                }
            }
            checkCap(
                    Invariant.ANNOTATION_CAP,
                    "the intents of " + key.site(),
                    key,
                    ofIntents,
                    rule.maxInFlight(),
                    machinesOfSite);
            checkCap(
                    Invariant.CLUSTER_CAP,
                    "cluster " + cluster,
                    key,
                    inCluster,
                    rule.maxInFlightPerCluster(),
                    machinesOfCluster);
        }
    }

    private Set<MachineKey> slotHolders() {
        Set<MachineKey> holders = new LinkedHashSet<>();
        for (MachineStatus status : rows.statuses()) {
            if (rows.holdsSlot(status)) {
                holders.add(status.key());
            }
        }
        return holders;
    }

    private @Nullable CountOrPercent siteCap(UpgradePolicy fleet, SiteId site) {
        UpgradePolicy own = rows.policy(site);
        return own != null && own.maxInFlight() != null ? own.maxInFlight() : fleet.maxInFlightPerSite();
    }

    private void checkCap(
            Invariant invariant,
            String of,
            MachineKey key,
            Set<MachineKey> beside,
            @Nullable CountOrPercent cap,
            int machines) {
        if (cap != null && beside.size() + 1 > cap.of(machines)) {
            violationLog.addViolation(
                    invariant,
                    key + " started as number " + (beside.size() + 1) + " in flight of " + of + ", beside " + beside
                            + ", where the cap is " + cap.of(machines) + " (" + cap + " of " + machines + ")");
        }
    }

    private void checkCluster(MachineRow machine, UpgradeAttempt attempt, @Nullable CampaignStatus campaign) {
        boolean first =
                campaign == null || campaign.acceptedCampaign().spec().cluster().controlPlaneFirst();
        int controlPlanes = 0;
        int workers = 0;
        int unavailable = 0;
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            boolean self = other.key().equals(machine.key());
            if (other.role() == MachineRole.CONTROL_PLANE) {
                controlPlanes++;
                if (!self) {
                    checkControlPlaneMember(machine, other, attempt, first);
                }
            } else {
                workers++;
                unavailable += self || !other.ready() || rows.isInFlightAnywhere(other) ? 1 : 0;
            }
        }
        List<MachineKey> departed = rows.admittedMachines().departed(machine.clusterKey(), MachineRole.CONTROL_PLANE);
        violationLog.require(
                departed.isEmpty(),
                Invariant.ONE_AT_A_TIME,
                machine.key() + " started while control-plane machine " + departed
                        + " of its cluster is in flight, which has left the cluster's rows");
        unavailable += rows.admittedMachines()
                .departed(machine.clusterKey(), MachineRole.WORKER)
                .size();
        if (campaign != null
                && campaign.acceptedCampaign().spec().cluster().strict()
                && !(machine.role() == MachineRole.CONTROL_PLANE
                        && rolloutMembers.isControlPlaneStarted(machine, attempt.rolloutRef()))) {
            checkStrict(machine, attempt.rolloutRef());
        }
        if (machine.role() == MachineRole.CONTROL_PLANE) {
            var row = rows.cluster(machine.clusterKey());
            violationLog.require(
                    row != null && row.controlPlaneReplicas() == controlPlanes,
                    Invariant.REPLICAS,
                    machine.key() + " started although " + controlPlanes + " control-plane machines are known of "
                            + row);
        } else {
            int allowed = rolloutMembers
                    .maxUnavailable(machine.key().site(), campaign)
                    .of(workers);
            violationLog.require(
                    unavailable <= allowed,
                    Invariant.WORKERS,
                    machine.key() + " started: including it, " + unavailable
                            + " workers of its cluster are unavailable or in flight; maxUnavailable is " + allowed);
        }
    }

    private void checkStrict(MachineRow machine, RolloutRef rolloutRef) {
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            RolloutEntry entry = ReferenceFleetState.entry(rows.status(other.key()), rolloutRef);
            violationLog.require(
                    entry == null
                            || entry.outcome() != MachineOutcome.QUARANTINED
                            || !rolloutMembers.isMember(other, rolloutRef),
                    Invariant.STRICT,
                    machine.key() + " started in a cluster whose machine " + other.key() + " is quarantined");
        }
    }

    private void checkControlPlaneMember(MachineRow machine, MachineRow other, UpgradeAttempt attempt, boolean first) {
        violationLog.require(
                !rows.isInFlightAnywhere(other),
                Invariant.ONE_AT_A_TIME,
                machine.key() + " started while control-plane machine " + other.key() + " is in flight");
        if (machine.role() == MachineRole.CONTROL_PLANE) {
            RolloutEntry entry = ReferenceFleetState.entry(rows.status(other.key()), attempt.rolloutRef());
            violationLog.require(
                    entry == null || entry.outcome() != MachineOutcome.QUARANTINED || other.optOut(),
                    Invariant.QUARANTINED_MEMBER,
                    machine.key() + " started in a control plane whose member " + other.key() + " is quarantined");
            violationLog.require(
                    other.ready(),
                    Invariant.CONTROL_PLANE,
                    machine.key() + " started while control-plane machine " + other.key() + " is not ready");
        } else if (first) {
            violationLog.require(
                    rolloutMembers.isDone(other, attempt.rolloutRef()),
                    Invariant.ORDER,
                    "worker " + machine.key() + " started before control-plane machine " + other.key());
        }
    }
}
