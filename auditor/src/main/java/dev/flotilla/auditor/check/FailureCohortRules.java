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

/** No machine is started of a kind whose failures go together, unless it has failed itself and is tried again. */
final class FailureCohortRules {
    private static final List<String> ALWAYS = List.of("site", "architecture", "revision");

    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    FailureCohortRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /** What a machine is told by, in the order of names; empty where a value is not known. */
    private record Ended(boolean failed, List<String> values) {}

    private record Trait(int place, String value) {
        boolean isOf(List<String> values) {
            return values.get(place).equals(value);
        }
    }

    private static final class Sum {
        private int failed;
        private int ended;
    }

    void check(StartDecision startDecision) {
        FailureCohortRule rule = startDecision.campaign() == null
                ? null
                : startDecision.campaign().spec().cohorts();
        CampaignMachineIndex book =
                startDecision.campaign() == null ? null : fleetTables.campaignMachines(startDecision.campaign());
        RolloutRef rolloutRef = startDecision.attempt().rollout();
        RolloutEntry rolloutEntry = startDecision.status().entry(rolloutRef);
        if (rule == null || book == null || rolloutEntry == null || rolloutEntry.failedAttempts() > 0) {
            return;
        }
        if (book.failed().size() < rule.failures()) {
            return;
        }
        List<String> names = new ArrayList<>(ALWAYS);
        names.addAll(rule.labels());
        List<Ended> left = new ArrayList<>();
        collect(left, book.failed(), true, rolloutRef, names);
        collect(left, book.upgraded(), false, rolloutRef, names);
        List<String> own =
                values(startDecision.machine(), startDecision.machine().revision(), names);
        Trait guilty = guilty(left, rule, names.size());
        while (guilty != null) {
            Trait closed = guilty;
            auditFindings.require(
                    !closed.isOf(own),
                    AuditInvariant.GATES,
                    startDecision.machine().id() + " started, and " + names.get(closed.place()) + " " + closed.value()
                            + " is closed");
            left.removeIf(one -> closed.isOf(one.values()));
            guilty = guilty(left, rule, names.size());
        }
    }

    private void collect(List<Ended> into, Set<String> ids, boolean failed, RolloutRef rolloutRef, List<String> names) {
        for (String id : ids) {
            MachineRow machine = fleetTables.machine(id);
            MachineStatus status = fleetTables.status(id);
            RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
            if (machine != null && rolloutEntry != null) {
                into.add(new Ended(failed, values(machine, rolloutEntry.fromRevision(), names)));
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

    /** The trait that fails most of those that the rule closes; null for none. */
    private static @Nullable Trait guilty(List<Ended> among, FailureCohortRule rule, int names) {
        Trait guilty = null;
        Sum most = new Sum();
        most.ended = 1;
        for (int place = 0; place < names; place++) {
            Map<String, Sum> sums = new LinkedHashMap<>();
            for (Ended one : among) {
                Sum sum = sums.computeIfAbsent(one.values().get(place), value -> new Sum());
                sum.ended++;
                sum.failed += one.failed() ? 1 : 0;
            }
            for (String value : sums.keySet().stream().sorted().toList()) {
                Sum sum = sums.getOrDefault(value, most);
                long mine = (long) sum.failed * most.ended;
                long its = (long) most.failed * sum.ended;
                if (!value.isEmpty()
                        && sum.failed >= rule.failures()
                        && sum.failed * 100L >= sum.ended * rule.percent()
                        && (guilty == null || mine > its || (mine == its && sum.failed > most.failed))) {
                    guilty = new Trait(place, value);
                    most = sum;
                }
            }
        }
        return guilty;
    }
}
