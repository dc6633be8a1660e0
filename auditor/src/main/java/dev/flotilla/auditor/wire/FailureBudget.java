package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/**
 * How many machines of a campaign may fail.
 *
 * @param limit so many, or such a share of its machines
 * @param confidence in percent; null where the budget holds absolutely
 * @param minSample until so many have ended it holds absolutely as well
 */
public record FailureBudget(CountOrPercent limit, @Nullable Long confidence, long minSample) {
    private static final long USUAL_CONFIDENCE = 95;
    private static final long USUAL_SAMPLE = 20;

    static @Nullable FailureBudget read(JsonFieldReader spec) {
        if (!spec.has("failureBudget")) {
            return null;
        }
        JsonFieldReader budget = spec.child("failureBudget");
        CountOrPercent most = budget.has("percent")
                ? new CountOrPercent((int) budget.number("percent"), true)
                : new CountOrPercent((int) budget.number("machines"), false);
        return budget.text("mode", "strict").equals("confident")
                ? new FailureBudget(
                        most,
                        budget.numberOr("confidence", USUAL_CONFIDENCE),
                        budget.numberOr("minSample", USUAL_SAMPLE))
                : new FailureBudget(most, null, 0);
    }
}
