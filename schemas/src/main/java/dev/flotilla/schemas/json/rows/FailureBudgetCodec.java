package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How many machines of a campaign may fail. */
final class FailureBudgetCodec {
    private static final int MOST_MACHINES = 1_000_000;
    private static final int LEAST_CONFIDENCE = 50;
    private static final int MOST_CONFIDENCE = 99;

    static final JsonCodec<FailureBudget> BUDGET = budget();

    /** How sure the budget is to hold. */
    private enum Mode {
        STRICT,
        CONFIDENT;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private FailureBudgetCodec() {}

    private static JsonCodec<FailureBudget> budget() {
        var budget = JsonObjectCodec.<FailureBudget>of(
                "failure-budget",
                "How many machines may fail: a machine counts from its first failure and is given back if it succeeds"
                        + " later. One of machines and percent says it.");
        var machines = budget.optional(
                "machines",
                ScalarCodecs.integer(1, MOST_MACHINES),
                "So many machines may fail. Nothing is started if the failures that may already be in flight could be"
                        + " more.",
                b -> b.maxFailures() instanceof CountOrPercent.Count count ? count.count() : null);
        var percent = budget.optional(
                "percent",
                ScalarCodecs.integer(1, CountOrPercent.HUNDRED_PERCENT),
                "So many of a hundred of the campaign's machines may fail, rounded down and at least one.",
                b -> b.maxFailures() instanceof CountOrPercent.Percent share ? share.percent() : null);
        var minSample = budget.optional(
                "minSample",
                ScalarCodecs.integer(1, MOST_MACHINES),
                "Before so many machines have ended by a call, a confident budget holds absolutely; 20 if it is not said.",
                FailureBudgetCodec::sample);
        var confidence = budget.optional(
                "confidence",
                ScalarCodecs.integer(LEAST_CONFIDENCE, MOST_CONFIDENCE),
                "With which certainty, in percent, a confident budget must hold; 95 if it is not said.",
                FailureBudget::confidence);
        var mode = budget.defaulted(
                "mode",
                EnumCodec.of(Mode.class, Mode::label),
                Mode.STRICT,
                "How sure the budget is to hold: strict is absolute, confident is at the stated confidence.",
                b -> b.confidence() == null ? Mode.STRICT : Mode.CONFIDENT);
        return budget.build((v, at, problems) -> {
            Integer count = v.get(machines);
            Integer share = v.get(percent);
            boolean confident = v.get(mode) == Mode.CONFIDENT;
            if ((count == null) == (share == null)) {
                problems.add(RejectionReason.CONTRADICTION, at, "must have one of machines and percent", null);
                return null;
            }
            if (!confident && (v.get(confidence) != null || v.get(minSample) != null)) {
                problems.add(
                        RejectionReason.CONTRADICTION,
                        at,
                        "is strict and has a confidence or a minSample",
                        "write mode: confident");
                return null;
            }
            CountOrPercent most = count != null
                    ? new CountOrPercent.Count(count)
                    : new CountOrPercent.Percent(share == null ? 1 : share);
            return confident
                    ? new FailureBudget(
                            most,
                            or(v.get(confidence), FailureBudget.USUAL_CONFIDENCE),
                            or(v.get(minSample), FailureBudget.USUAL_SAMPLE))
                    : FailureBudget.strict(most);
        });
    }

    private static @Nullable Integer sample(FailureBudget budget) {
        return budget.confidence() == null ? null : (Integer) budget.minSample();
    }

    private static int or(@Nullable Integer stated, int usual) {
        return stated == null ? usual : stated;
    }
}
