package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How many machines of a campaign may fail. */
final class BudgetCodec {
    private static final int MOST_MACHINES = 1_000_000;
    private static final int LEAST_CONFIDENCE = 50;
    private static final int MOST_CONFIDENCE = 99;

    static final Codec<FailureBudget> BUDGET = budget();

    /** How sure the budget is to hold. */
    private enum Mode {
        STRICT,
        CONFIDENT;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private BudgetCodec() {}

    private static Codec<FailureBudget> budget() {
        var budget = RecordCodec.<FailureBudget>of(
                "failure-budget",
                "How many machines may fail: a machine counts from its first failure and is given back if it succeeds"
                        + " later. One of machines and percent says it.");
        var machines = budget.optional(
                "machines",
                Scalars.integer(1, MOST_MACHINES),
                "So many machines may fail. Nothing is started if the failures that may already be in flight could be"
                        + " more.",
                b -> b.most() instanceof Limit.Count count ? count.count() : null);
        var percent = budget.optional(
                "percent",
                Scalars.integer(1, Limit.HUNDRED_PERCENT),
                "So many of a hundred of the campaign's machines may fail, rounded down and at least one.",
                b -> b.most() instanceof Limit.Percent share ? share.percent() : null);
        var minSample = budget.optional(
                "minSample",
                Scalars.integer(1, MOST_MACHINES),
                "Before so many machines have ended by a call, a confident budget holds absolutely; 20 if it is not said.",
                BudgetCodec::sample);
        var confidence = budget.optional(
                "confidence",
                Scalars.integer(LEAST_CONFIDENCE, MOST_CONFIDENCE),
                "With which certainty, in percent, a confident budget must hold; 95 if it is not said.",
                FailureBudget::confidence);
        var mode = budget.defaulted(
                "mode",
                Choice.of(Mode.class, Mode::label),
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
            Limit most = count != null ? new Limit.Count(count) : new Limit.Percent(share == null ? 1 : share);
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
