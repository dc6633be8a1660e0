package dev.flotilla.cli.machine;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.explain.PreparationExplanation;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats an explanation as text and as JSON. */
final class MachineExplanationText {
    private MachineExplanationText() {}

    static List<String> lines(
            MachineExplanation machineExplanation, @Nullable LastFailureEvidence lastFailureEvidence) {
        List<String> lines = new ArrayList<>();
        lines.add(machineExplanation.machine() + ": " + machineExplanation.state()
                + (machineExplanation.rolloutRef() == null ? "" : ", for " + machineExplanation.rolloutRef()));
        if (!machineExplanation.closedGates().isEmpty()) {
            TextTable table = new TextTable("CLOSED GATE", "ACTUAL", "REQUIRED", "REASON");
            machineExplanation
                    .closedGatesForPersonsFirst()
                    .forEach(closedGate -> table.row(
                            closedGate.gate().label(),
                            closedGate.actual(),
                            closedGate.required(),
                            closedGate.message()));
            lines.addAll(table.lines());
        }
        lines.add("Next: " + machineExplanation.nextStep());
        PreparationExplanation preparation = machineExplanation.preparation();
        if (preparation != null) {
            lines.add("Preparation: " + preparation.state().label() + ". " + preparation.nextStep());
            preparation
                    .closedGates()
                    .forEach(gate -> lines.add("  " + gate.gate().label() + ": " + gate.message()));
        }
        if (lastFailureEvidence != null) {
            lines.addAll(lastFailureEvidence.lines());
        }
        return lines;
    }

    static JsonObjectReader json(
            MachineExplanation machineExplanation, @Nullable LastFailureEvidence lastFailureEvidence) {
        List<ClosedGate> closed = machineExplanation.closedGates();
        return new JsonObjectReader.Builder()
                .put("machine", machineExplanation.machine().toString())
                .put("state", machineExplanation.state())
                .put(
                        "rollout",
                        JsonFormatter.text(
                                machineExplanation.rolloutRef() == null
                                        ? null
                                        : machineExplanation.rolloutRef().toString()))
                .put(
                        "gate",
                        JsonFormatter.text(
                                closed.isEmpty() ? null : closed.get(0).gate().label()))
                .put(
                        "closed",
                        JsonFormatter.list(closed.stream()
                                .map(MachineExplanationText::json)
                                .toList()))
                .put("next", machineExplanation.nextStep())
                .put("preparation", json(machineExplanation.preparation()))
                .put("lastFailureEvidence", LastFailureEvidence.json(lastFailureEvidence))
                .build();
    }

    private static JsonValue json(@Nullable PreparationExplanation preparation) {
        return preparation == null
                ? JsonFormatter.text(null)
                : new JsonObjectReader.Builder()
                        .put("state", preparation.state().label())
                        .put(
                                "closed",
                                JsonFormatter.list(preparation.closedGates().stream()
                                        .map(MachineExplanationText::json)
                                        .toList()))
                        .put("next", preparation.nextStep())
                        .build();
    }

    private static JsonValue json(ClosedGate closedGate) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("gate", closedGate.gate().label())
                .put("have", closedGate.actual())
                .put("need", closedGate.required())
                .put("says", closedGate.message())
                .put("needsPerson", closedGate.needsPerson());
        if (closedGate.opensAt() != null) {
            json.put("opensAt", closedGate.opensAt().toString());
        }
        return json.build();
    }
}
