package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.RolloutRef;
import org.jspecify.annotations.Nullable;

/** How an explanation looks: the same here and from the command line. */
public final class ExplainAnswer {
    public static final JsonCodec<MachineExplanation> CODEC = codec();

    private ExplainAnswer() {}

    private static JsonObjectCodec<ClosedGate> closed() {
        var it = JsonObjectCodec.<ClosedGate>of("closed-gate", "A gate that is closed, with what was compared.");
        it.required("gate", Forms.GATE, "The gate.", ClosedGate::gate);
        it.required("have", Forms.WORDS, "What there is.", ClosedGate::actual);
        it.required("need", Forms.WORDS, "What there would have to be.", ClosedGate::required);
        it.required("says", Forms.WORDS, "The same in words.", ClosedGate::message);
        it.optional("opens", ScalarCodecs.INSTANT, "When it opens by itself, as far as that is known.", ClosedGate::opensAt);
        return Written.only(it);
    }

    private static OrNull.Value<GateLabel> first(MachineExplanation machineExplanation) {
        return new OrNull.Value<>(
                machineExplanation.closedGates().isEmpty()
                        ? null
                        : machineExplanation.closedGates().get(0).gate());
    }

    private static @Nullable String driver(MachineExplanation machineExplanation) {
        RolloutRef rolloutRef = machineExplanation.rolloutRef();
        return rolloutRef == null ? null : rolloutRef.toString();
    }

    private static JsonCodec<MachineExplanation> codec() {
        var it = JsonObjectCodec.<MachineExplanation>of("explanation", "How a machine stands, and why it is not being upgraded.");
        it.required("machine", Forms.WORDS, "The machine.", e -> e.machine().toString());
        it.required("state", MachineItem.STATE, "What it is doing, or how it ended.", MachineExplanation::state);
        it.optional("driver", Forms.WORDS, "On whose behalf.", ExplainAnswer::driver);
        it.required(
                "gate",
                new OrNull<>(Forms.GATE),
                "The first gate that is closed to it, or null.",
                ExplainAnswer::first);
        it.required(
                "closed",
                new ListCodec<>(closed(), GateLabel.values().length * 4),
                "Every gate that is closed to it, in their order.",
                MachineExplanation::closedGates);
        it.required(
                "next", Forms.WORDS, "What will happen next, or what somebody would have to do.", MachineExplanation::nextStep);
        return Written.only(it);
    }
}
