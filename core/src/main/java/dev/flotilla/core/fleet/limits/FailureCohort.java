package dev.flotilla.core.fleet.limits;

/**
 * One kind of machine, and how it has fared in a campaign.
 *
 * @param dimension what it is told by: site, architecture, revision or the name of a label
 * @param ended machines of it that have failed, or succeeded by a call
 */
public record FailureCohort(String dimension, String value, int failed, int ended) {
    boolean isSameAs(FailureCohort other) {
        return dimension.equals(other.dimension) && value.equals(other.value);
    }

    /** Whether it fails more than another; of two that fail alike the one of which more have failed. */
    boolean isWorseThan(FailureCohort other) {
        long mine = (long) failed * other.ended;
        long its = (long) other.failed * ended;
        return mine != its ? mine > its : failed > other.failed;
    }
}
