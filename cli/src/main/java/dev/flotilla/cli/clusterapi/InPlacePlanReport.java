package dev.flotilla.cli.clusterapi;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.clusterapi.plan.InPlacePlan;
import dev.flotilla.clusterapi.plan.MachinePlan;
import dev.flotilla.clusterapi.plan.MachinePlan.MachineFate;
import dev.flotilla.clusterapi.plan.MachinePlan.UncoveredPath;
import dev.flotilla.clusterapi.plan.OwnerPlan;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan as text for people and as JSON. */
record InPlacePlanReport(InPlacePlan plan) {
    private static final int MOST_NAMED = 10;

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Cluster " + plan.cluster() + ", judged by: " + plan.judgedBy());
        lines.add("");
        if (!plan.owners().isEmpty()) {
            TextTable table = new TextTable("OWNER", "IN PLACE", "REPLACED", "HELD", "UNCHANGED");
            for (OwnerPlan owner : plan.owners()) {
                table.row(
                        owner.owner(),
                        String.valueOf(owner.inPlace()),
                        String.valueOf(owner.replaced()),
                        String.valueOf(owner.held()),
                        String.valueOf(owner.unaffected()));
            }
            lines.addAll(table.lines());
            lines.add("");
        }
        plan.owners().forEach(owner -> addMachines(owner, lines));
        lines.add(answer());
        lines.add(advice());
        plan.owners()
                .forEach(owner -> owner.notes().forEach(note -> lines.add("Note: " + owner.owner() + ": " + note)));
        plan.notes().forEach(note -> lines.add("Note: " + note));
        return lines;
    }

    /** Machines with the same reasons are named together. */
    private static void addMachines(OwnerPlan owner, List<String> lines) {
        Map<List<String>, List<String>> machinesOf = new LinkedHashMap<>();
        for (MachinePlan machine : owner.machines()) {
            if (machine.fate() != MachineFate.IN_PLACE) {
                machinesOf
                        .computeIfAbsent(reasonsOf(machine), reasons -> new ArrayList<>())
                        .add(machine.machine());
            }
        }
        machinesOf.forEach((reasons, machines) -> {
            lines.add(reasons.getFirst() + ": "
                    + String.join(", ", machines.stream().limit(MOST_NAMED).toList())
                    + (machines.size() > MOST_NAMED ? " and " + (machines.size() - MOST_NAMED) + " more" : ""));
            reasons.stream().skip(1).forEach(reason -> lines.add("  " + reason));
            lines.add("");
        });
    }

    private static List<String> reasonsOf(MachinePlan machine) {
        List<String> reasons = new ArrayList<>();
        reasons.add(machine.fate() == MachineFate.HELD ? "Held" : "Replaced");
        if (!machine.reason().isEmpty()) {
            reasons.add(machine.reason());
        }
        for (UncoveredPath path : machine.uncovered()) {
            reasons.add("not covered: " + path.kind() + " " + path.path() + ": " + show(path.from()) + " -> "
                    + show(path.to()) + (path.reason().isEmpty() ? "" : " (" + path.reason() + ")"));
        }
        return reasons;
    }

    private static String show(@Nullable String value) {
        return value == null ? "(absent)" : value;
    }

    private boolean isSurgeOnly() {
        return plan.replaced()
                == plan.owners().stream().mapToInt(OwnerPlan::surged).sum();
    }

    private String answer() {
        return switch (plan.answer()) {
            case IN_PLACE ->
                plan.inPlace() == 0
                        ? "Answer: in-place. The change reaches no machine."
                        : "Answer: in-place. " + machines(plan.inPlace()) + " updated, none replaced.";
            case REPLACE ->
                "Answer: replace. " + machines(plan.replaced()) + " replaced, " + plan.inPlace() + " updated in place"
                        + (plan.held() > 0 ? ", " + plan.held() + " held." : ".");
            case STOP ->
                "Answer: stop. " + machines(plan.held())
                        + " held: none of those is changed until the change is taken back" + " or covered.";
        };
    }

    private static String machines(int count) {
        return count == 1 ? "1 machine is" : count + " machines are";
    }

    private boolean namesFields() {
        return plan.owners().stream()
                .flatMap(owner -> owner.machines().stream())
                .anyMatch(machine -> !machine.uncovered().isEmpty());
    }

    private String advice() {
        return switch (plan.answer()) {
            case IN_PLACE -> "What to do: apply the change.";
            case REPLACE ->
                isSurgeOnly()
                        ? "What to do: the change itself is covered. To keep every machine, change the rollout strategy first."
                        : namesFields()
                                ? "What to do: do not apply it if these machines must be kept. Take the named fields out of the"
                                        + " change, or cover them (docs/cluster-api.md)."
                                : "What to do: do not apply it if these machines must be kept. The reasons above say why no"
                                        + " extension is asked.";
            case STOP ->
                !namesFields()
                        ? "What to do: correct what the reasons above name."
                        : "What to do: take the named fields out of the change, or cover them in the ExtensionConfig"
                                + " (docs/cluster-api.md).";
        };
    }

    JsonObjectReader json() {
        List<JsonObjectReader> machines = new ArrayList<>();
        List<JsonObjectReader> owners = new ArrayList<>();
        for (OwnerPlan owner : plan.owners()) {
            owner.machines().forEach(machine -> machines.add(json(machine)));
            owners.add(new JsonObjectReader.Builder()
                    .put("owner", owner.owner())
                    .put("inPlace", owner.inPlace())
                    .put("replaced", owner.replaced())
                    .put("held", owner.held())
                    .put("unchanged", owner.unaffected())
                    .put("replacedBySurge", owner.surged())
                    .put("notes", JsonFormatter.texts(owner.notes()))
                    .build());
        }
        return new JsonObjectReader.Builder()
                .put("cluster", plan.cluster())
                .put("judgedBy", plan.judgedBy())
                .put("machines", JsonFormatter.list(machines))
                .put("owners", JsonFormatter.list(owners))
                .put("inPlace", plan.inPlace())
                .put("replaced", plan.replaced())
                .put("held", plan.held())
                .put("answer", plan.answer().label())
                .put("notes", JsonFormatter.texts(plan.notes()))
                .build();
    }

    private static JsonObjectReader json(MachinePlan machine) {
        return new JsonObjectReader.Builder()
                .put("machine", machine.machine())
                .put("owner", machine.owner())
                .put("inPlace", machine.fate() == MachineFate.IN_PLACE)
                .put("fate", machine.fate().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put(
                        "uncovered",
                        JsonFormatter.list(machine.uncovered().stream()
                                .map(InPlacePlanReport::json)
                                .toList()))
                .put("reason", machine.reason())
                .build();
    }

    private static JsonObjectReader json(UncoveredPath path) {
        return new JsonObjectReader.Builder()
                .put("kind", path.kind())
                .put("path", path.path())
                .put("from", JsonFormatter.text(path.from()))
                .put("to", JsonFormatter.text(path.to()))
                .put("reason", path.reason())
                .build();
    }
}
