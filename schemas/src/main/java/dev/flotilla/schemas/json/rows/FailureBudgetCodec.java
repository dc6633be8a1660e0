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

/** JSON codec for a campaign's failure budget. */
final class FailureBudgetCodec {
    private static final int MAX_MACHINES = 1_000_000;
    private static final int MIN_CONFIDENCE = 50;
    private static final int MAX_CONFIDENCE = 99;

    static final JsonCodec<FailureBudget> BUDGET = budget();

    /** Whether the budget holds absolutely or with a confidence. */
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
                "How many machines may fail. A machine counts from its first failure on and no longer counts once it"
                        + " succeeds. Give either machines or percent.");
        var machines = budget.optional(
                "machines",
                ScalarCodecs.integer(1, MAX_MACHINES),
                "How many machines may fail. No machine starts if more could fail, counting those in flight.",
                b -> b.maxFailures() instanceof CountOrPercent.Count count ? count.count() : null);
        var percent = budget.optional(
                "percent",
                ScalarCodecs.integer(1, CountOrPercent.HUNDRED_PERCENT),
                "How many of the campaign's machines may fail, in percent, rounded down and at least one.",
                b -> b.maxFailures() instanceof CountOrPercent.Percent share ? share.percent() : null);
        var minSample = budget.optional(
                "minSample",
                ScalarCodecs.integer(1, MAX_MACHINES),
                "Until this many machines have ended by a call, a confident budget holds absolutely. Default: 20.",
                FailureBudgetCodec::sample);
        var confidence = budget.optional(
                "confidence",
                ScalarCodecs.integer(MIN_CONFIDENCE, MAX_CONFIDENCE),
                "The confidence, in percent, with which a confident budget must hold. Default: 95.",
                FailureBudget::confidence);
        var mode = budget.defaulted(
                "mode",
                EnumCodec.of(Mode.class, Mode::label),
                Mode.STRICT,
                "strict: the budget holds absolutely; confident: it holds with the given confidence.",
                b -> b.confidence() == null ? Mode.STRICT : Mode.CONFIDENT);
        return budget.build((v, at, problems) -> {
            Integer count = v.get(machines);
            Integer share = v.get(percent);
            boolean confident = v.get(mode) == Mode.CONFIDENT;
            if ((count == null) == (share == null)) {
                problems.add(RejectionReason.CONTRADICTION, at, "must have either machines or percent", null);
                return null;
            }
            if (!confident && (v.get(confidence) != null || v.get(minSample) != null)) {
                problems.add(
                        RejectionReason.CONTRADICTION,
                        at,
                        "is strict but has a confidence or a minSample",
                        "write mode: confident");
                return null;
            }
            CountOrPercent most = count != null
                    ? new CountOrPercent.Count(count)
                    : new CountOrPercent.Percent(share == null ? 1 : share);
            return confident
                    ? new FailureBudget(
                            most,
                            or(v.get(confidence), FailureBudget.DEFAULT_CONFIDENCE),
                            or(v.get(minSample), FailureBudget.DEFAULT_MIN_SAMPLE))
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
