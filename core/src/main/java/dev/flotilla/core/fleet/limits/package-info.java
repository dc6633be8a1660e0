/**
 * How many machines may fail, by budget and by cohort, and how many may be in flight by label. Read
 * {@code FailureBudgetEstimator} first.
 */
@NullMarked
package dev.flotilla.core.fleet.limits;

import org.jspecify.annotations.NullMarked;
