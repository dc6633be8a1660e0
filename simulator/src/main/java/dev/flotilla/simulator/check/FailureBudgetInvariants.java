package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.LinkedHashSet;
import java.util.Set;

/** The failure budget of a campaign, recounted at each start. */
final class FailureBudgetInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;
    private final RolloutMembers rolloutMembers;
    private final DeletedMachineFailures deletedMachines;

    FailureBudgetInvariants(ReferenceFleetState rows, ViolationLog violationLog, RolloutMembers rolloutMembers) {
        this.rows = rows;
        this.violationLog = violationLog;
        this.rolloutMembers = rolloutMembers;
        this.deletedMachines = new DeletedMachineFailures(rows);
    }

    /** Looks at a decision before it is applied. */
    void checkDecision(Decision decision) {
        deletedMachines.applyDecision(decision);
    }

    /** Checks a start. The other members of a control plane were reserved when its first member started. */
    void check(MachineRow machine, UpgradeAttempt attempt, CampaignStatus campaign, FailureBudget budget) {
        RolloutRef rolloutRef = attempt.rolloutRef();
        if (machine.role() == MachineRole.CONTROL_PLANE && rolloutMembers.isControlPlaneStarted(machine, rolloutRef)) {
            return;
        }
        int most = budget.maxFailures().of(rolloutMembers.countMembers(campaign));
        int failed = deletedMachines.count(rolloutRef);
        int inFlight = 0;
        int upgraded = 0;
        boolean counted = false;
        for (MachineStatus status : rows.statuses()) {
            RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
            boolean isInFlight = ReferenceFleetState.inFlight(status, rolloutRef);
            boolean fails = hasFailed(status, rolloutRef);
            failed += fails ? 1 : 0;
            inFlight += isInFlight && !fails ? 1 : 0;
            upgraded += !isInFlight && entry != null && entry.outcome() == MachineOutcome.SUCCEEDED ? 1 : 0;
            counted |= (fails || isInFlight) && status.key().equals(machine.key());
        }
        int alone = counted
                ? 0
                : machine.role() == MachineRole.CONTROL_PLANE ? countUntried(machine.clusterKey(), rolloutRef) : 1;
        int reserved = reserved(rolloutRef);
        if (budget.confidence() == null || failed + upgraded < budget.minSample()) {
            violationLog.require(
                    failed + inFlight + reserved + alone <= most,
                    Invariant.BUDGET,
                    machine.key() + " started: " + (failed + inFlight + reserved + alone) + " machines of campaign "
                            + campaign.name() + " have failed or may, the budget is " + most);
            return;
        }
        double upperBound = upper(failed, failed + upgraded, budget.confidence());
        violationLog.require(
                failed + reserved + (alone > 1 ? alone + upperBound * inFlight : upperBound * (inFlight + alone))
                        <= most + 1e-6,
                Invariant.BUDGET,
                machine.key() + " started: " + failed + " machines of campaign " + campaign.name() + " have failed and "
                        + upperBound + " of " + (inFlight + alone) + " may at " + budget.confidence()
                        + "%, the budget is "
                        + most);
    }

    /**
     * The failures that half-upgraded control planes may still cause: once one member is started, all others follow.
     */
    private int reserved(RolloutRef rolloutRef) {
        Set<ClusterKey> clusters = new LinkedHashSet<>();
        for (MachineStatus status : rows.statuses()) {
            MachineRow member = rows.machine(status.key());
            RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
            if (member != null
                    && entry != null
                    && member.role() == MachineRole.CONTROL_PLANE
                    && !member.optOut()
                    && !rows.isSiteUnread(status.key().site())
                    && (entry.outcome() == MachineOutcome.SUCCEEDED
                            || ReferenceFleetState.inFlight(status, rolloutRef)
                            || hasFailed(status, rolloutRef))) {
                clusters.add(member.clusterKey());
            }
        }
        int reserved = 0;
        for (ClusterKey cluster : clusters) {
            reserved += countUntried(cluster, rolloutRef);
        }
        return reserved;
    }

    /** Control-plane members of a campaign that are still to be started and have not failed. */
    private int countUntried(ClusterKey cluster, RolloutRef rolloutRef) {
        int untriedMembers = 0;
        for (MachineRow member : rows.machines(cluster)) {
            MachineStatus status = rows.status(member.key());
            RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
            boolean fresh = entry == null || (entry.outcome() == MachineOutcome.OPEN && entry.failedAttempts() == 0);
            untriedMembers += member.role() == MachineRole.CONTROL_PLANE
                            && !member.optOut()
                            && rolloutMembers.isMember(member, rolloutRef)
                            && fresh
                            && !ReferenceFleetState.inFlight(status, rolloutRef)
                    ? 1
                    : 0;
        }
        return untriedMembers;
    }

    /** Requires that no running campaign exceeds its failure budget, except to finish a control plane. */
    void requireNoBreach() {
        for (CampaignStatus campaign : rows.campaigns()) {
            FailureBudget budget = campaign.acceptedCampaign().spec().failureBudget();
            RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
            if (budget == null || campaign.state() != CampaignState.RUNNING || rows.isPartlyUnread(campaign)) {
                continue;
            }
            int failed = deletedMachines.count(rolloutRef);
            for (MachineStatus status : rows.statuses()) {
                failed += hasFailed(status, rolloutRef) ? 1 : 0;
            }
            int most = budget.maxFailures().of(rolloutMembers.countMembers(campaign));
            violationLog.require(
                    failed <= most || finishesControlPlane(rolloutRef) || !hasOpenMachines(rolloutRef),
                    Invariant.BREACH,
                    failed + " machines of campaign " + campaign.name() + " have failed, the budget is " + most
                            + ", but it is still running");
        }
    }

    private boolean hasOpenMachines(RolloutRef rolloutRef) {
        for (MachineRow machine : rows.machines()) {
            RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
            if (!rolloutMembers.isDone(machine, rolloutRef)
                    && (entry == null || entry.outcome() != MachineOutcome.QUARANTINED)) {
                return true;
            }
        }
        return false;
    }

    private boolean finishesControlPlane(RolloutRef rolloutRef) {
        for (MachineRow machine : rows.machines()) {
            RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
            if (machine.role() == MachineRole.CONTROL_PLANE
                    && rolloutMembers.isControlPlaneStarted(machine, rolloutRef)
                    && !rolloutMembers.isDone(machine, rolloutRef)
                    && (entry == null || entry.outcome() != MachineOutcome.QUARANTINED)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasFailed(MachineStatus status, RolloutRef rolloutRef) {
        RolloutEntry entry = ReferenceFleetState.entry(status, rolloutRef);
        return entry != null
                && !entry.outcome().isAtTarget()
                && (entry.failedAttempts() > 0 || entry.outcome() == MachineOutcome.QUARANTINED)
                && (ReferenceFleetState.inFlight(status, rolloutRef)
                        || (entry.outcome() != MachineOutcome.SKIPPED && !optedOut(status)));
    }

    /** Whether the machine opts out; then it counts as skipped, which is no failure. */
    private boolean optedOut(MachineStatus status) {
        MachineRow row = rows.machine(status.key());
        return row != null && row.optOut();
    }

    /** The upper bound of the Wilson interval, with a prior of half a failure in ten machines. */
    private static double upper(int failed, int ended, int confidence) {
        double z = quantile(confidence / 100.0);
        double n = ended + 10;
        double p = (failed + 0.5) / n;
        return Math.min(
                1, (p + z * z / (2 * n) + z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n));
    }

    /** The quantile of the normal distribution, computed by summing its density. */
    private static double quantile(double share) {
        double step = 1e-4;
        double area = 0.5;
        double at = 0;
        while (area < share) {
            double middle = at + step / 2;
            area += step * Math.exp(-middle * middle / 2) / Math.sqrt(2 * Math.PI);
            at += step;
        }
        return Math.max(0, at - step);
    }
}
