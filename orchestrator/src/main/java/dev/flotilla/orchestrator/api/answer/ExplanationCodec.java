package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.explain.PreparationExplanation;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.RolloutRef;
import org.jspecify.annotations.Nullable;

/** Encodes an explanation, for the API and the command line. */
public final class ExplanationCodec {
    public static final JsonCodec<MachineExplanation> CODEC = codec();

    private ExplanationCodec() {}

    private static JsonObjectCodec<ClosedGate> closedGateCodec() {
        var it = JsonObjectCodec.<ClosedGate>of("closed-gate", "A closed gate, with the values that it compares.");
        it.required("gate", ResponseCodecs.GATE, "The gate.", ClosedGate::gate);
        it.required("have", ResponseCodecs.TEXT, "The actual value.", ClosedGate::actual);
        it.required("need", ResponseCodecs.TEXT, "The required value.", ClosedGate::required);
        it.required("says", ResponseCodecs.TEXT, "The same as a sentence.", ClosedGate::message);
        it.required(
                "needsPerson",
                ScalarCodecs.FLAG,
                "Whether it stays closed until a person acts.",
                ClosedGate::needsPerson);
        it.optional(
                "opensAt", ScalarCodecs.INSTANT, "When it opens by itself; absent if unknown.", ClosedGate::opensAt);
        return EncodeOnlyCodec.encodeOnly(it);
    }

    private static NullableCodec.NullableValue<GateLabel> firstGate(MachineExplanation machineExplanation) {
        return new NullableCodec.NullableValue<>(
                machineExplanation.closedGates().isEmpty()
                        ? null
                        : machineExplanation.closedGates().get(0).gate());
    }

    private static @Nullable String rolloutName(MachineExplanation machineExplanation) {
        RolloutRef rolloutRef = machineExplanation.rolloutRef();
        return rolloutRef == null ? null : rolloutRef.toString();
    }

    private static JsonCodec<MachineExplanation> codec() {
        var it = JsonObjectCodec.<MachineExplanation>of(
                "explanation", "A machine's state, and why it is not being upgraded.");
        it.required(
                "machine", ResponseCodecs.TEXT, "The machine.", e -> e.machine().toString());
        it.required(
                "state",
                MachineListItem.STATE,
                "The machine's state: a step, or an outcome.",
                MachineExplanation::state);
        it.optional(
                "rollout",
                ResponseCodecs.TEXT,
                "The campaign or intent that it is about.",
                ExplanationCodec::rolloutName);
        it.required(
                "gate",
                new NullableCodec<>(ResponseCodecs.GATE),
                "The first gate that blocks it, or null.",
                ExplanationCodec::firstGate);
        it.required(
                "closed",
                new ListCodec<>(closedGateCodec(), GateLabel.values().length * 4),
                "All gates that block it, in their order.",
                MachineExplanation::closedGates);
        it.required(
                "next",
                ResponseCodecs.TEXT,
                "What happens next, or what an operator must do.",
                MachineExplanation::nextStep);
        it.optional(
                "preparation",
                preparationCodec(),
                "Its preparation; absent if no campaign asked for one.",
                MachineExplanation::preparation);
        return EncodeOnlyCodec.encodeOnly(it);
    }

    private static JsonCodec<PreparationExplanation> preparationCodec() {
        var it = JsonObjectCodec.<PreparationExplanation>of(
                "explained-preparation", "How far the preparation of a machine is, and why it does not begin.");
        it.required(
                "state",
                EnumCodec.of(
                        PreparationExplanation.PreparationState.class, PreparationExplanation.PreparationState::label),
                "How far it is.",
                PreparationExplanation::state);
        it.required(
                "closed",
                new ListCodec<>(closedGateCodec(), GateLabel.values().length * 4),
                "All gates that hold it back, in their order.",
                PreparationExplanation::closedGates);
        it.required("next", ResponseCodecs.TEXT, "What happens next.", PreparationExplanation::nextStep);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
