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
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that upgrades machines: a campaign, or the intents of a site. What it has done and has to do is counted. */
public abstract sealed class Rollout implements ScheduledRollout, BacklogRules
        permits CampaignRollout, SiteIntentsRollout {
    private final long tieBreaker;
    int total;
    int remaining;
    int inFlight;
    int budgetSpent;
    int failed;

    /** Of these, the ones without an inventory row. */
    private int failedAndGone;

    /** Others that failed and whose name another machine has since. */
    int failuresOfDeletedMachines;

    int upgraded;
    int halfDoneControlPlanes;

    /** How kinds of machines have fared; null where none is told from another. */
    private @Nullable FailureCohortDetector cohorts;

    /** What is in flight by label; null where no label is capped. */
    private @Nullable TopologyDomainCounter domains;

    /** Who else wants its machines, and came before. */
    private final CampaignOverlapCounter overlaps = new CampaignOverlapCounter();

    int reserved;

    RolloutRules rules = RolloutRules.of(IntentRule.DEFAULT);

    /** Whether machines that it selects are its own for now, so that others wait. */
    private boolean mayHaveMembers;

    Rollout(String name) {
        this.tieBreaker = StableHash.of(name);
    }

    /** Begins to count by kind and by label, as far as these terms ask for it. */
    final void countBy(CampaignConstraints campaignConstraints, MachineTable table) {
        FailureCohortRule rule = campaignConstraints.cohortRule();
        cohorts = rule == null ? null : new FailureCohortDetector(rule, table);
        domains = campaignConstraints.domainCaps().isEmpty()
                ? null
                : new TopologyDomainCounter(campaignConstraints.domainCaps(), table);
    }

    /** What it is bound by. */
    public final RolloutRules rules() {
        return rules;
    }

    @Override
    public final List<MaintenanceWindow> windows() {
        return rules.windows();
    }

    /** Machines that are members. */
    public final int total() {
        return total;
    }

    /** Members that have not ended. */
    public final int remaining() {
        return remaining;
    }

    public final int inFlight() {
        return inFlight;
    }

    /** Machines that count against the failure budget: failed or in flight, and what half-done control planes reserve. */
    public final int budgetUsed() {
        return budgetSpent + failuresOfDeletedMachines + reserved;
    }

    /** Machines that have failed and have not succeeded since. */
    public final int failed() {
        return failed + failuresOfDeletedMachines;
    }

    /** Of these, the ones that are no more. */
    public final int failedAndGone() {
        return failedAndGone + failuresOfDeletedMachines;
    }

    /** Members that have succeeded after a call. */
    public final int upgraded() {
        return upgraded;
    }

    /** Control planes that are half done and can go on. */
    public final int halfDoneControlPlanes() {
        return halfDoneControlPlanes;
    }

    /** Machines that half-done control planes keep of the failure budget. */
    public final int reserved() {
        return reserved;
    }

    /** Whether kinds of machines that fail are closed. */
    public final boolean tracksCohorts() {
        return cohorts != null;
    }

    /** The closed kind that a machine is of; null for none. */
    public final @Nullable FailureCohort closedCohort(MachineView machine) {
        return cohorts == null ? null : cohorts.closing(machine);
    }

    /** A domain that a machine is of and in which no more may be in flight; null for none. */
    public final @Nullable TopologyDomain fullDomain(MachineView machine) {
        return domains == null ? null : domains.closing(machine);
    }

    /** The number of the revision that a machine had when it was first tried; zero where that is not known. */
    public final int firstRevision(MachineView machine) {
        RolloutRef rolloutRef = rolloutRefOf(machine);
        return rolloutRef == null ? 0 : machine.firstRevision(rolloutRef);
    }

    /** On whose behalf a machine is upgraded, and so what its entry says; null where nothing is asked of it. */
    public abstract @Nullable RolloutRef rolloutRefOf(MachineView machine);

    public abstract @Nullable UpgradeTarget targetOf(MachineView machine);

    /** The version that a machine's target is; unknown where nobody says. */
    public abstract int targetVersion(MachineView machine);

    /** How many are in flight of those that this limits. */
    public int limitedInFlight() {
        return inFlight;
    }

    /** The machines that a share of them is of. */
    public abstract int totalMachines();

    /** Whether it will never start anything any more. */
    public abstract boolean isOver();

    /** Of those that want the same slot the highest goes first. */
    public final int priority() {
        return rules.priority();
    }

    /** Its share of the slots among those of its priority. */
    public final int weight() {
        return rules.weight();
    }

    /** A number that differs between rollouts: by it chance is drawn between equals. */
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

    /** Whether a start takes something out of a failure budget. */
    public abstract boolean hasBudget();

    public abstract int waveOf(ClusterState cluster);

    /** Adds what is counted in a cluster. */
    public final void addBacklog(ClusterState cluster, int wave, BacklogCounts counts) {
        addCounts(cluster, wave, counts, 1);
    }

    /** Takes away what was counted in a cluster before. */
    public final void removeBacklog(ClusterState cluster, int wave, BacklogCounts counts) {
        addCounts(cluster, wave, counts, -1);
    }

    void addCounts(ClusterState cluster, int wave, BacklogCounts counts, int sign) {
        total += sign * counts.total();
        remaining += sign * counts.remaining();
        inFlight += sign * counts.inFlight();
        budgetSpent += sign * counts.budgetUsed();
        failed += sign * counts.failed();
        failedAndGone += sign * counts.failedAndGone();
        upgraded += sign * counts.upgraded();
        halfDoneControlPlanes += sign * (counts.halfDone() && !counts.controlPlaneQuarantined() ? 1 : 0);
        reserved += sign * counts.reserved();
    }

    /** Begins the counting again; by kind and by label it begins with the terms. */
    void resetCounts() {
        total = 0;
        remaining = 0;
        inFlight = 0;
        budgetSpent = 0;
        failed = 0;
        failedAndGone = 0;
        upgraded = 0;
        halfDoneControlPlanes = 0;
        overlaps.clear();
        reserved = 0;
    }

    /** How cohorts of its machines have fared; null where none is told from another. */
    public final @Nullable FailureCohortDetector cohorts() {
        return cohorts;
    }

    /** What is in flight by label; null where no label is capped. */
    public final @Nullable TopologyDomainCounter domains() {
        return domains;
    }

    /** Which earlier campaigns want its machines. */
    public final CampaignOverlapCounter overlaps() {
        return overlaps;
    }

    /** Whether machines that it selects are its own for now, so that others wait. */
    public final boolean mayHaveMembers() {
        return mayHaveMembers;
    }

    final void mayHaveMembers(boolean now) {
        mayHaveMembers = now;
    }
}
