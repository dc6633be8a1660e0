package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * How many machines of a campaign may fail.
 *
 * @param maxFailures so many, or such a share of the campaign's machines
 * @param confidence with which certainty in percent it has to hold; null where it holds absolutely
 * @param minSample before so many machines have ended by a call it holds absolutely as well
 */
public record FailureBudget(
        CountOrPercent maxFailures, @Nullable Integer confidence, int minSample) {
    public static final int USUAL_CONFIDENCE = 95;
    public static final int USUAL_SAMPLE = 20;

    /** One that holds absolutely. */
    public static FailureBudget strict(CountOrPercent most) {
        return new FailureBudget(most, null, 0);
    }

    /** So many machines, absolutely. */
    public static FailureBudget of(int machines) {
        return strict(new CountOrPercent.Count(machines));
    }
}
