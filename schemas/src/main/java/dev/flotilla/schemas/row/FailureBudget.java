package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * How many machines of a campaign may fail.
 *
 * @param maxFailures a number, or a percentage of the campaign's machines
 * @param confidence the confidence in percent with which the budget must hold; null if it holds absolutely
 * @param minSample until this many machines have ended by a call, the budget holds absolutely
 */
public record FailureBudget(
        CountOrPercent maxFailures, @Nullable Integer confidence, int minSample) {
    public static final int DEFAULT_CONFIDENCE = 95;
    public static final int DEFAULT_MIN_SAMPLE = 20;

    /** A budget that holds absolutely. */
    public static FailureBudget strict(CountOrPercent most) {
        return new FailureBudget(most, null, 0);
    }

    /** A budget of a number of machines that holds absolutely. */
    public static FailureBudget of(int machines) {
        return strict(new CountOrPercent.Count(machines));
    }
}
