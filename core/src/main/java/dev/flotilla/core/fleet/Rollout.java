package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/** Something that upgrades machines: a campaign, or the intents of a site. What it has done and has to do is counted. */
public abstract sealed class Rollout permits CampaignRollout, IntentsRollout {
    final Lanes lanes = new Lanes();
    private final long spread;
    int total;
    int remaining;
    int inFlight;
    int spent;
    int failed;

    /** Of these, the ones without an inventory row. */
    private int failedAndGone;

    /** Others that failed and whose name another machine has since. */
    int failuresOfGone;

    int upgraded;
    int finishing;

    /** How kinds of machines have fared; null where none is told from another. */
    @Nullable
    Cohorts cohorts;

    /** What is in flight by label; null where no label is capped. */
    @Nullable
    Domains domains;

    /** Who else wants its machines, and came before. */
    final Contention contention = new Contention();

    int reserved;

    RolloutRules rules = RolloutRules.of(IntentRule.DEFAULT);

    /** Whether machines that it selects are its own for now, so that others wait. */
    boolean claiming;

    Rollout(String name) {
        this.spread = Digest.of(name);
    }

    /** Begins to count by kind and by label, as far as these terms ask for it. */
    final void countBy(CampaignConstraints campaignConstraints, MachineTable table) {
        FailureCohortRule rule = campaignConstraints.cohortRule();
        cohorts = rule == null ? null : new Cohorts(rule, table);
        domains = campaignConstraints.domainCaps().isEmpty() ? null : new Domains(campaignConstraints.domainCaps(), table);
    }

    /** What it is bound by. */
    public final RolloutRules rules() {
        return rules;
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
        return spent + failuresOfGone + reserved;
    }

    /** Machines that have failed and have not succeeded since. */
    public final int failed() {
        return failed + failuresOfGone;
    }

    /** Of these, the ones that are no more. */
    public final int failedAndGone() {
        return failedAndGone + failuresOfGone;
    }

    /** Members that have succeeded after a call. */
    public final int upgraded() {
        return upgraded;
    }

    /** Control planes that are half done and can go on. */
    public final int finishing() {
        return finishing;
    }

    /** Machines that half-done control planes keep of the failure budget. */
    public final int reserved() {
        return reserved;
    }

    /** Whether kinds of machines that fail are closed. */
    public final boolean tellsCohorts() {
        return cohorts != null;
    }

    /** The closed kind that a machine is of; null for none. */
    public final @Nullable Cohort closedCohort(Machine machine) {
        return cohorts == null ? null : cohorts.closing(machine);
    }

    /** A domain that a machine is of and in which no more may be in flight; null for none. */
    public final @Nullable Domain fullDomain(Machine machine) {
        return domains == null ? null : domains.closing(machine);
    }

    /** The number of the revision that a machine had when it was first tried; zero where that is not known. */
    final int firstRevision(Machine machine) {
        RolloutRef rolloutRef = driverOf(machine);
        return rolloutRef == null ? 0 : machine.firstRevision(rolloutRef);
    }

    /** On whose behalf a machine is upgraded, and so what its entry says; null where nothing is asked of it. */
    public abstract @Nullable RolloutRef driverOf(Machine machine);

    public abstract @Nullable UpgradeTarget targetOf(Machine machine);

    /** The version that a machine's target is; unknown where nobody says. */
    public abstract int targetVersion(Machine machine);

    /** How many are in flight of those that this limits. */
    public int flying() {
        return inFlight;
    }

    /** The machines that a share of them is of. */
    public abstract int machinesInAll();

    /** Whether it will never start anything any more. */
    public abstract boolean over();

    /** Of those that want the same slot the highest goes first. */
    public final int priority() {
        return rules.priority();
    }

    /** Its share of the slots among those of its priority. */
    final int weight() {
        return rules.weight();
    }

    /** A number that differs between rollouts: by it chance is drawn between equals. */
    final long spread() {
        return spread;
    }

    abstract boolean concerns(Cluster cluster);

    abstract Standing standing(Cluster cluster, Machine machine);

    /** Whether a member was given up on for what others of its cluster may still follow, and follows something else since. */
    boolean leftBehind(Cluster cluster, Machine member) {
        return false;
    }

    /** Whether a start takes something out of a failure budget. */
    abstract boolean hasBudget();

    abstract int waveOf(Cluster cluster);

    /** Adds what a cluster's share counts, or takes it away again. */
    void count(Share share, int sign) {
        total += sign * share.total;
        remaining += sign * share.remaining;
        inFlight += sign * share.inFlight;
        spent += sign * share.spent;
        failed += sign * share.failed;
        failedAndGone += sign * share.failedAndGone;
        upgraded += sign * share.upgraded;
        finishing += sign * (share.halfDone() && !share.controlPlaneQuarantined ? 1 : 0);
        reserved += sign * share.reserved();
    }

    /** Begins the counting again; by kind and by label it begins with the terms. */
    void forgetCounts() {
        lanes.clear();
        total = 0;
        remaining = 0;
        inFlight = 0;
        spent = 0;
        failed = 0;
        failedAndGone = 0;
        upgraded = 0;
        finishing = 0;
        contention.clear();
        reserved = 0;
    }
}
