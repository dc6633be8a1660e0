package dev.flotilla.schemas.row;

/**
 * How often in a row a machine's worker has refused to start it.
 *
 * @param count refusals since its last attempt that failed or succeeded
 * @param reason what the worker said last
 */
public record StartDeferral(int count, String reason) {
    /** From so many refusals in a row on a person is told: the wait has grown to minutes by then. */
    public static final int LASTING = 6;

    public boolean isLasting() {
        return count >= LASTING;
    }
}
