package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.limits.FailureCohort;
import dev.flotilla.core.fleet.limits.FailureCohortDetector;
import dev.flotilla.core.fleet.limits.TopologyDomain;
import dev.flotilla.core.fleet.limits.TopologyDomainCounter;
import dev.flotilla.core.fleet.time.ScheduledRollout;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rollout: a campaign, or all intents of a site, with its counts. */
public abstract sealed class Rollout implements ScheduledRollout, BacklogRules
        permits CampaignRollout, SiteIntentsRollout {
    private final long tieBreaker;
    int total;
    int remaining;
    int inFlight;
    int budgetSpent;
    int failed;

    /** Failed machines without an inventory row. */
    private int failedAndDeleted;

    private int preparing;
    private int prepared;
    private int unprepared;

    /** Failed machines that were replaced by another machine of the same name. */
    int failuresOfDeletedMachines;

    int upgraded;
    int halfUpgradedControlPlanes;

    /** Outcomes by cohort; null without a cohort rule. */
    private @Nullable FailureCohortDetector cohorts;

    /** Machines in flight by label value; null if no label is capped. */
    private @Nullable TopologyDomainCounter domains;

    /** The earlier campaigns that it overlaps with. */
    private final CampaignOverlapCounter overlaps = new CampaignOverlapCounter();

    int reserved;

    RolloutRules rules = RolloutRules.of(IntentRule.DEFAULT);

    /** Whether it claims the machines that it selects, so that other rollouts wait. */
    private boolean mayHaveMembers;

    Rollout(String name) {
        this.tieBreaker = StableHash.of(name);
    }

    /** Starts counting by cohort and by label value, as far as the campaign needs it. */
    final void countBy(CampaignSpec spec, MachineTable table) {
        FailureCohortRule rule = spec.cohortCircuitBreaker();
        cohorts = rule == null ? null : new FailureCohortDetector(rule, table);
        domains = spec.caps().domains().isEmpty()
                ? null
                : new TopologyDomainCounter(spec.caps().domains(), table);
    }

    /** Its rules. */
    public final RolloutRules rules() {
        return rules;
    }

    @Override
    public final List<MaintenanceWindow> windows() {
        return rules.windows();
    }

    /** Member machines. */
    public final int total() {
        return total;
    }

    /** Members without an end. */
    public final int remaining() {
        return remaining;
    }

    public final int inFlight() {
        return inFlight;
    }

    /**
     * Machines that count against the failure budget: failed, in flight, or reserved for half-upgraded control planes.
     */
    public final int budgetUsed() {
        return budgetSpent + failuresOfDeletedMachines + reserved;
    }

    /** Failed machines that have not succeeded since. */
    public final int failed() {
        return failed + failuresOfDeletedMachines;
    }

    /** Failed machines that were deleted or replaced. */
    public final int failedAndDeleted() {
        return failedAndDeleted + failuresOfDeletedMachines;
    }

    /** Members that succeeded by a call. */
    public final int upgraded() {
        return upgraded;
    }

    /** Half-upgraded control planes that can continue. */
    public final int halfUpgradedControlPlanes() {
        return halfUpgradedControlPlanes;
    }

    /** Machines with a command to prepare them for its target out. */
    public final int preparing() {
        return preparing;
    }

    /** Machines that are prepared for its target and have not ended. */
    public final int prepared() {
        return prepared;
    }

    /** Machines whose last preparation for its target failed and that have not ended. */
    public final int unprepared() {
        return unprepared;
    }

    /** Machines of the budget reserved for half-upgraded control planes. */
    public final int reserved() {
        return reserved;
    }

    /** Whether it has a cohort rule. */
    public final boolean tracksCohorts() {
        return cohorts != null;
    }

    /** The closed cohort of a machine; null for none. */
    public final @Nullable FailureCohort closedCohort(MachineView machine) {
        return cohorts == null ? null : cohorts.closedCohortOf(machine);
    }

    /** A full topology domain of a machine; null for none. */
    public final @Nullable TopologyDomain fullDomain(MachineView machine) {
        return domains == null ? null : domains.fullDomainOf(machine);
    }

    /** The number of a machine's revision at its first attempt; zero if unknown. */
    public final int firstRevision(MachineView machine) {
        RolloutRef rolloutRef = rolloutRefOf(machine);
        return rolloutRef == null ? 0 : machine.firstRevision(rolloutRef);
    }

    /** The rollout reference for which a machine is upgraded, as in its entry; null if it is not targeted. */
    public abstract @Nullable RolloutRef rolloutRefOf(MachineView machine);

    public abstract @Nullable UpgradeTarget targetOf(MachineView machine);

    /** The Kubernetes version that an attempt's machine must show at its target too; null for none. */
    public abstract @Nullable String expectedVersion(UpgradeAttempt attempt);

    /** The version of a machine's target; unknown if not known. */
    public abstract int targetVersion(MachineView machine);

    /** Machines in flight that its cap counts. */
    public int limitedInFlight() {
        return inFlight;
    }

    /** The number of machines that a percentage of its cap refers to. */
    public abstract int totalMachines();

    /** Whether it has ended for good. */
    public abstract boolean isOver();

    /** The priority: the highest goes first. */
    public final int priority() {
        return rules.priority();
    }

    /** The weight among rollouts of equal priority. */
    public final int weight() {
        return rules.weight();
    }

    /** A number that decides between rollouts that are otherwise equal. */
    public final long tieBreaker() {
        return tieBreaker;
    }

    public abstract boolean mayHaveMembersIn(ClusterState cluster);

    public abstract MachineProgressState progressStateOf(ClusterState cluster, MachineView machine);

    @Override
    public boolean leftBehind(ClusterState cluster, MachineView member) {
        return false;
    }

    @Override
    public final boolean hasFailedAttempts(MachineView member) {
        RolloutRef rolloutRef = rolloutRefOf(member);
        RolloutEntry entry = rolloutRef == null ? null : member.entry(rolloutRef);
        return entry != null && entry.failedAttempts() > 0;
    }

    /** Whether it has a failure budget. */
    public abstract boolean hasBudget();

    public abstract int waveOf(ClusterState cluster);

    /** Adds the counts of a cluster. */
    public final void addBacklog(ClusterState cluster, int wave, BacklogCounts counts) {
        addCounts(cluster, wave, counts, 1);
    }

    /** Subtracts the former counts of a cluster. */
    public final void removeBacklog(ClusterState cluster, int wave, BacklogCounts counts) {
        addCounts(cluster, wave, counts, -1);
    }

    void addCounts(ClusterState cluster, int wave, BacklogCounts counts, int sign) {
        preparing += sign * counts.preparing();
        prepared += sign * counts.prepared();
        unprepared += sign * counts.unprepared();
        total += sign * counts.total();
        remaining += sign * counts.remaining();
        inFlight += sign * counts.inFlight();
        budgetSpent += sign * counts.budgetUsed();
        failed += sign * counts.failed();
        failedAndDeleted += sign * counts.failedAndDeleted();
        upgraded += sign * counts.upgraded();
        halfUpgradedControlPlanes +=
                sign * (counts.isControlPlaneHalfUpgraded() && !counts.controlPlaneQuarantined() ? 1 : 0);
        reserved += sign * counts.reserved();
    }

    /** Resets the counts, except those by cohort and label value, which start with the constraints. */
    void resetCounts() {
        preparing = 0;
        prepared = 0;
        unprepared = 0;
        total = 0;
        remaining = 0;
        inFlight = 0;
        budgetSpent = 0;
        failed = 0;
        failedAndDeleted = 0;
        upgraded = 0;
        halfUpgradedControlPlanes = 0;
        overlaps.clear();
        reserved = 0;
    }

    /** Outcomes by cohort; null without a cohort rule. */
    public final @Nullable FailureCohortDetector cohorts() {
        return cohorts;
    }

    /** Machines in flight by label value; null if no label is capped. */
    public final @Nullable TopologyDomainCounter domains() {
        return domains;
    }

    /** Which earlier campaigns want its machines. */
    public final CampaignOverlapCounter overlaps() {
        return overlaps;
    }

    /** Whether it claims the machines that it selects, so that other rollouts wait. */
    public final boolean mayHaveMembers() {
        return mayHaveMembers;
    }

    final void mayHaveMembers(boolean now) {
        mayHaveMembers = now;
    }
}
