package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/**
 * The failure budget of a campaign.
 *
 * @param limit a number or a percentage of its machines
 * @param confidence in percent; null if every machine in flight counts fully
 * @param minSample machines that must have ended before the confidence applies
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
