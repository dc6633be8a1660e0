package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.FailureCohortRule;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that no machine of a failure cohort starts while the rule closes the cohort, except a retry of a machine that
 * failed itself.
 */
final class FailureCohortRules {
    private static final List<String> ALWAYS = List.of("site", "architecture", "revision");

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    FailureCohortRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** The values that assign a machine to cohorts, in the order of names; empty if a value is unknown. */
    private record EndedMachine(boolean failed, List<String> values) {}

    private record Cohort(int index, String value) {
        boolean isOf(List<String> values) {
            return values.get(index).equals(value);
        }
    }

    private static final class CohortCount {
        private int failed;
        private int ended;
    }

    void check(StartDecision startDecision) {
        FailureCohortRule rule = startDecision.campaign() == null
                ? null
                : startDecision.campaign().spec().cohorts();
        CampaignMachineIndex index =
                startDecision.campaign() == null ? null : fleetTables.campaignMachines(startDecision.campaign());
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        RolloutEntry rolloutEntry = startDecision.status().entry(rolloutRef);
        if (rule == null || index == null || rolloutEntry == null || rolloutEntry.failedAttempts() > 0) {
            return;
        }
        if (index.failed().size() < rule.failures()) {
            return;
        }
        List<String> names = new ArrayList<>(ALWAYS);
        names.addAll(rule.labels());
        List<EndedMachine> remaining = new ArrayList<>();
        collect(remaining, index.failed(), true, rolloutRef, names);
        collect(remaining, index.upgraded(), false, rolloutRef, names);
        List<String> own =
                values(startDecision.machine(), startDecision.machine().revision(), names);
        Cohort closedCohort = findClosedCohort(remaining, rule, names.size());
        while (closedCohort != null) {
            Cohort closed = closedCohort;
            auditFindings.require(
                    !closed.isOf(own),
                    AuditInvariant.GATES,
                    startDecision.machine().id() + " started, but cohort " + names.get(closed.index()) + " "
                            + closed.value() + " is closed");
            remaining.removeIf(machine -> closed.isOf(machine.values()));
            closedCohort = findClosedCohort(remaining, rule, names.size());
        }
    }

    private void collect(
            List<EndedMachine> ended, Set<String> ids, boolean failed, RolloutRef rolloutRef, List<String> names) {
        for (String id : ids) {
            MachineRow machine = fleetTables.machine(id);
            MachineStatus status = fleetTables.status(id);
            RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
            if (machine != null && rolloutEntry != null) {
                ended.add(new EndedMachine(failed, values(machine, rolloutEntry.fromRevision(), names)));
            }
        }
    }

    private static List<String> values(MachineRow machine, @Nullable String revision, List<String> names) {
        List<String> values = new ArrayList<>();
        for (String name : names) {
            String value = switch (name) {
                case "site" -> machine.site();
                case "architecture" -> machine.architecture();
                case "revision" -> revision;
                default -> machine.labels().values().get(name);
            };
            values.add(value == null ? "" : value);
        }
        return values;
    }

    /** The cohort with the highest share of failures among those that the rule closes; null if there is none. */
    private static @Nullable Cohort findClosedCohort(List<EndedMachine> machines, FailureCohortRule rule, int names) {
        Cohort closedCohort = null;
        CohortCount most = new CohortCount();
        most.ended = 1;
        for (int index = 0; index < names; index++) {
            Map<String, CohortCount> sums = new LinkedHashMap<>();
            for (EndedMachine machine : machines) {
                CohortCount sum = sums.computeIfAbsent(machine.values().get(index), value -> new CohortCount());
                sum.ended++;
                sum.failed += machine.failed() ? 1 : 0;
            }
            for (String value : sums.keySet().stream().sorted().toList()) {
                CohortCount sum = sums.getOrDefault(value, most);
                long mine = (long) sum.failed * most.ended;
                long its = (long) most.failed * sum.ended;
                if (!value.isEmpty()
                        && sum.failed >= rule.failures()
                        && sum.failed * 100L >= sum.ended * rule.percent()
                        && (closedCohort == null || mine > its || (mine == its && sum.failed > most.failed))) {
                    closedCohort = new Cohort(index, value);
                    most = sum;
                }
            }
        }
        return closedCohort;
    }
}
