package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.FailureBudget;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 6: failure budgets, on the rows before the start. Once the first member of a control plane is started all
 * others follow, so the first start needs budget for all of them, and what they need stays reserved.
 */
final class FailureBudgetRules {
    private static final double ROUNDING = 1e-6;

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    FailureBudgetRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    void check(StartDecision startDecision) {
        CampaignStatus campaign = startDecision.campaign();
        FailureBudget failureBudget = campaign == null ? null : campaign.spec().budget();
        CampaignMachineIndex index = campaign == null ? null : fleetTables.campaignMachines(campaign);
        if (campaign != null && failureBudget != null && index != null && !isReserved(startDecision)) {
            checkBudget(startDecision, campaign, failureBudget, index);
        }
    }

    /** Whether it is another member of a control plane that has started upgrading. */
    private boolean isReserved(StartDecision startDecision) {
        return startDecision.machine().controlPlane()
                && fleetTables
                        .membership()
                        .hasStartedControlPlane(
                                startDecision.machine(), startDecision.attempt().rollout());
    }

    private void checkBudget(
            StartDecision startDecision,
            CampaignStatus campaign,
            FailureBudget failureBudget,
            CampaignMachineIndex index) {
        MachineRow machine = startDecision.machine();
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        int limit = failureBudget.limit().resolve(index.selected().size());
        int failed = index.countFailures(campaign);
        boolean counted =
                index.failed().contains(machine.id()) || index.inFlight().contains(machine.id());
        int itself = counted ? 0 : machine.controlPlane() ? countUntried(machine.cluster(), rolloutRef) : 1;
        int reserved = countReserved(index, rolloutRef);
        int ended = failed + index.upgraded().size();
        double each = failureBudget.confidence() == null || ended < failureBudget.minSample()
                ? 1
                : WilsonInterval.upperBound(failed, ended, failureBudget.confidence());
        // Several members are counted whole: they are too few to estimate how many of them fail.
        double mayFail = each * index.inFlight().size() + (itself > 1 ? itself : each * itself) + reserved;
        auditFindings.require(
                failed + mayFail <= limit + ROUNDING,
                AuditInvariant.BUDGET,
                machine.id() + " started: " + failed + " machines of campaign " + campaign.name() + " have failed and "
                        + mayFail + " may fail, but the budget is " + limit);
    }

    /** The members of half-upgraded control planes that are still to be started. */
    private int countReserved(CampaignMachineIndex index, RolloutRef rolloutRef) {
        Set<String> clusters = new TreeSet<>();
        for (Set<String> ids : List.of(index.upgraded(), index.inFlight(), index.failed())) {
            for (String id : ids) {
                MachineRow member = fleetTables.machine(id);
                // A leader that has not read a suspended site does not know its machines.
                if (member != null
                        && member.controlPlane()
                        && !member.optOut()
                        && !fleetTables.isSuspended(member.site())) {
                    clusters.add(member.cluster());
                }
            }
        }
        return clusters.stream()
                .mapToInt(cluster -> countUntried(cluster, rolloutRef))
                .sum();
    }

    /** Members of a control plane that are still to be started and have not failed. */
    private int countUntried(String cluster, RolloutRef rolloutRef) {
        int untried = 0;
        for (MachineRow member : fleetTables.machinesOf(cluster)) {
            if (member.controlPlane()
                    && !member.optOut()
                    && fleetTables.membership().isSelected(member, rolloutRef)
                    && isUntried(fleetTables.status(member.id()), rolloutRef)) {
                untried++;
            }
        }
        return untried;
    }

    private static boolean isUntried(@Nullable MachineStatus status, RolloutRef rolloutRef) {
        RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
        return rolloutEntry == null
                || (!rolloutEntry.hasEnded()
                        && rolloutEntry.failedAttempts() == 0
                        && status != null
                        && !status.isInFlightFor(rolloutRef));
    }
}
