package dev.flotilla.core.fleet.limits;

/**
 * Machines that share a property, and their outcomes in a campaign.
 *
 * @param dimension the shared property: site, architecture, revision or the name of a label
 * @param ended machines of the cohort that have failed, or succeeded by a call
 */
public record FailureCohort(String dimension, String value, int failed, int ended) {
    boolean isSameAs(FailureCohort other) {
        return dimension.equals(other.dimension) && value.equals(other.value);
    }

    /** Whether it has a higher failure rate than another, or an equal rate and more failures. */
    boolean isWorseThan(FailureCohort other) {
        long mine = (long) failed * other.ended;
        long its = (long) other.failed * ended;
        return mine != its ? mine > its : failed > other.failed;
    }
}
