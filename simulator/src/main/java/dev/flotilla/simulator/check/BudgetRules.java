package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.RunState;
import java.util.LinkedHashSet;
import java.util.Set;

/** The failure budget of a campaign, counted anew at each start. */
final class BudgetRules {
    private final Recount rows;
    private final Verdicts verdicts;
    private final Members members;
    private final FailuresOfGone gone;

    BudgetRules(Recount rows, Verdicts verdicts, Members members) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.members = members;
        this.gone = new FailuresOfGone(rows);
    }

    /** Looks at a decision before it is taken in. */
    void decided(Decision decision) {
        gone.decided(decision);
    }

    /** The rest of a control plane that has begun was paid for when it did. */
    void check(MachineRow machine, Attempt attempt, CampaignStatus campaign, FailureBudget budget) {
        Driver driver = attempt.driver();
        if (machine.role() == Role.CONTROL_PLANE && members.controlPlaneBegun(machine, driver)) {
            return;
        }
        int most = budget.most().of(members.count(campaign));
        int failed = gone.count(driver);
        int flying = 0;
        int upgraded = 0;
        boolean counted = false;
        for (MachineStatus status : rows.statuses()) {
            Entry entry = Recount.entry(status, driver);
            boolean flies = Recount.inFlight(status, driver);
            boolean fails = fails(status, driver);
            failed += fails ? 1 : 0;
            flying += flies && !fails ? 1 : 0;
            upgraded += !flies && entry != null && entry.outcome() == Outcome.SUCCEEDED ? 1 : 0;
            counted |= (fails || flies) && status.key().equals(machine.key());
        }
        int alone = counted ? 0 : machine.role() == Role.CONTROL_PLANE ? untried(machine.clusterKey(), driver) : 1;
        int reserved = reserved(driver);
        if (budget.confidence() == null || failed + upgraded < budget.minSample()) {
            verdicts.require(
                    failed + flying + reserved + alone <= most,
                    Invariant.BUDGET,
                    machine.key() + " started: " + (failed + flying + reserved + alone) + " machines of campaign "
                            + campaign.name() + " have failed or may, the budget is " + most);
            return;
        }
        double upper = upper(failed, failed + upgraded, budget.confidence());
        verdicts.require(
                failed + reserved + (alone > 1 ? alone + upper * flying : upper * (flying + alone)) <= most + 1e-6,
                Invariant.BUDGET,
                machine.key() + " started: " + failed + " machines of campaign " + campaign.name() + " have failed and "
                        + upper + " of " + (flying + alone) + " may at " + budget.confidence() + "%, the budget is "
                        + most);
    }

    /** What half-done control planes may still cost: a member that has been begun is followed by all others. */
    private int reserved(Driver driver) {
        Set<ClusterKey> clusters = new LinkedHashSet<>();
        for (MachineStatus status : rows.statuses()) {
            MachineRow member = rows.machine(status.key());
            Entry entry = Recount.entry(status, driver);
            if (member != null
                    && entry != null
                    && member.role() == Role.CONTROL_PLANE
                    && !member.optOut()
                    && !rows.isUnread(status.key().site())
                    && (entry.outcome() == Outcome.SUCCEEDED
                            || Recount.inFlight(status, driver)
                            || fails(status, driver))) {
                clusters.add(member.clusterKey());
            }
        }
        int reserved = 0;
        for (ClusterKey cluster : clusters) {
            reserved += untried(cluster, driver);
        }
        return reserved;
    }

    /** Control-plane members that have neither failed nor been started for a campaign, and are to be. */
    private int untried(ClusterKey cluster, Driver driver) {
        int untried = 0;
        for (MachineRow member : rows.machines(cluster)) {
            MachineStatus status = rows.status(member.key());
            Entry entry = Recount.entry(status, driver);
            boolean fresh = entry == null || (entry.outcome() == Outcome.OPEN && entry.failedAttempts() == 0);
            untried += member.role() == Role.CONTROL_PLANE
                            && !member.optOut()
                            && members.selected(member, driver)
                            && fresh
                            && !Recount.inFlight(status, driver)
                    ? 1
                    : 0;
        }
        return untried;
    }

    /** A campaign that runs has no more failures than it bears, but for control planes that it has to bring to an end. */
    void breached() {
        for (CampaignStatus campaign : rows.campaigns()) {
            FailureBudget budget = campaign.accepted().spec().failureBudget();
            Driver driver = new Driver.OfCampaign(campaign.name(), campaign.uid());
            if (budget == null || campaign.state() != RunState.RUNNING || rows.isPartlyUnread(campaign)) {
                continue;
            }
            int failed = gone.count(driver);
            for (MachineStatus status : rows.statuses()) {
                failed += fails(status, driver) ? 1 : 0;
            }
            int most = budget.most().of(members.count(campaign));
            verdicts.require(
                    failed <= most || finishes(driver) || !goesOn(driver),
                    Invariant.BREACH,
                    failed + " machines of campaign " + campaign.name() + " have failed, the budget is " + most
                            + ", and it runs on");
        }
    }

    private boolean goesOn(Driver driver) {
        for (MachineRow machine : rows.machines()) {
            Entry entry = Recount.entry(rows.status(machine.key()), driver);
            if (!members.isDone(machine, driver) && (entry == null || entry.outcome() != Outcome.QUARANTINED)) {
                return true;
            }
        }
        return false;
    }

    private boolean finishes(Driver driver) {
        for (MachineRow machine : rows.machines()) {
            Entry entry = Recount.entry(rows.status(machine.key()), driver);
            if (machine.role() == Role.CONTROL_PLANE
                    && members.controlPlaneBegun(machine, driver)
                    && !members.isDone(machine, driver)
                    && (entry == null || entry.outcome() != Outcome.QUARANTINED)) {
                return true;
            }
        }
        return false;
    }

    private boolean fails(MachineStatus status, Driver driver) {
        Entry entry = Recount.entry(status, driver);
        return entry != null
                && !entry.outcome().atTarget()
                && (entry.failedAttempts() > 0 || entry.outcome() == Outcome.QUARANTINED)
                && (Recount.inFlight(status, driver) || (entry.outcome() != Outcome.SKIPPED && !optedOut(status)));
    }

    /** Whoever opts out is skipped, and what is skipped is no failure. */
    private boolean optedOut(MachineStatus status) {
        MachineRow row = rows.machine(status.key());
        return row != null && row.optOut();
    }

    /** The upper end of Wilson's interval, with half a failure of ten machines beforehand. */
    private static double upper(int failed, int ended, int confidence) {
        double z = quantile(confidence / 100.0);
        double n = ended + 10;
        double p = (failed + 0.5) / n;
        return Math.min(
                1, (p + z * z / (2 * n) + z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n));
    }

    /** The quantile of the normal distribution: its density is summed up. */
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
