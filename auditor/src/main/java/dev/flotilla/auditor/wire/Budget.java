package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import org.jspecify.annotations.Nullable;

/**
 * How many machines of a campaign may fail.
 *
 * @param most so many, or such a share of its machines
 * @param confidence in percent; null where the budget holds absolutely
 * @param minSample until so many have ended it holds absolutely as well
 */
public record Budget(Limit most, @Nullable Long confidence, long minSample) {
    private static final long USUAL_CONFIDENCE = 95;
    private static final long USUAL_SAMPLE = 20;

    static @Nullable Budget read(Fields spec) {
        if (!spec.has("failureBudget")) {
            return null;
        }
        Fields budget = spec.in("failureBudget");
        Limit most = budget.has("percent")
                ? new Limit((int) budget.number("percent"), true)
                : new Limit((int) budget.number("machines"), false);
        return budget.text("mode", "strict").equals("confident")
                ? new Budget(
                        most,
                        budget.numberOr("confidence", USUAL_CONFIDENCE),
                        budget.numberOr("minSample", USUAL_SAMPLE))
                : new Budget(most, null, 0);
    }
}
