package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.RolloutRef;
import org.jspecify.annotations.Nullable;

/** How an explanation looks: the same here and from the command line. */
public final class ExplanationCodec {
    public static final JsonCodec<MachineExplanation> CODEC = codec();

    private ExplanationCodec() {}

    private static JsonObjectCodec<ClosedGate> closed() {
        var it = JsonObjectCodec.<ClosedGate>of("closed-gate", "A gate that is closed, with what was compared.");
        it.required("gate", ResponseCodecs.GATE, "The gate.", ClosedGate::gate);
        it.required("have", ResponseCodecs.WORDS, "What there is.", ClosedGate::actual);
        it.required("need", ResponseCodecs.WORDS, "What there would have to be.", ClosedGate::required);
        it.required("says", ResponseCodecs.WORDS, "The same in words.", ClosedGate::message);
        it.optional(
                "opens",
                ScalarCodecs.INSTANT,
                "When it opens by itself, as far as that is known.",
                ClosedGate::opensAt);
        return EncodeOnlyCodec.encodeOnly(it);
    }

    private static NullableCodec.NullableValue<GateLabel> first(MachineExplanation machineExplanation) {
        return new NullableCodec.NullableValue<>(
                machineExplanation.closedGates().isEmpty()
                        ? null
                        : machineExplanation.closedGates().get(0).gate());
    }

    private static @Nullable String driver(MachineExplanation machineExplanation) {
        RolloutRef rolloutRef = machineExplanation.rolloutRef();
        return rolloutRef == null ? null : rolloutRef.toString();
    }

    private static JsonCodec<MachineExplanation> codec() {
        var it = JsonObjectCodec.<MachineExplanation>of(
                "explanation", "How a machine stands, and why it is not being upgraded.");
        it.required(
                "machine",
                ResponseCodecs.WORDS,
                "The machine.",
                e -> e.machine().toString());
        it.required("state", MachineListItem.STATE, "What it is doing, or how it ended.", MachineExplanation::state);
        it.optional("driver", ResponseCodecs.WORDS, "On whose behalf.", ExplanationCodec::driver);
        it.required(
                "gate",
                new NullableCodec<>(ResponseCodecs.GATE),
                "The first gate that is closed to it, or null.",
                ExplanationCodec::first);
        it.required(
                "closed",
                new ListCodec<>(closed(), GateLabel.values().length * 4),
                "Every gate that is closed to it, in their order.",
                MachineExplanation::closedGates);
        it.required(
                "next",
                ResponseCodecs.WORDS,
                "What will happen next, or what somebody would have to do.",
                MachineExplanation::nextStep);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
