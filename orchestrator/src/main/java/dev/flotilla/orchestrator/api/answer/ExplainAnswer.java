package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.explain.Explanation;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.RolloutRef;
import org.jspecify.annotations.Nullable;

/** How an explanation looks: the same here and from the command line. */
public final class ExplainAnswer {
    public static final JsonCodec<Explanation> CODEC = codec();

    private ExplainAnswer() {}

    private static JsonObjectCodec<Closed> closed() {
        var it = JsonObjectCodec.<Closed>of("closed-gate", "A gate that is closed, with what was compared.");
        it.required("gate", Forms.GATE, "The gate.", Closed::gate);
        it.required("have", Forms.WORDS, "What there is.", Closed::have);
        it.required("need", Forms.WORDS, "What there would have to be.", Closed::need);
        it.required("says", Forms.WORDS, "The same in words.", Closed::says);
        it.optional("opens", ScalarCodecs.INSTANT, "When it opens by itself, as far as that is known.", Closed::opens);
        return Written.only(it);
    }

    private static OrNull.Value<GateLabel> first(Explanation explanation) {
        return new OrNull.Value<>(
                explanation.closed().isEmpty()
                        ? null
                        : explanation.closed().get(0).gate());
    }

    private static @Nullable String driver(Explanation explanation) {
        RolloutRef rolloutRef = explanation.driver();
        return rolloutRef == null ? null : rolloutRef.toString();
    }

    private static JsonCodec<Explanation> codec() {
        var it = JsonObjectCodec.<Explanation>of("explanation", "How a machine stands, and why it is not being upgraded.");
        it.required("machine", Forms.WORDS, "The machine.", e -> e.machine().toString());
        it.required("state", MachineItem.STATE, "What it is doing, or how it ended.", Explanation::state);
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
                Explanation::closed);
        it.required(
                "next", Forms.WORDS, "What will happen next, or what somebody would have to do.", Explanation::next);
        return Written.only(it);
    }
}
