package dev.flotilla.schemas.row;

/**
 * How many times in a row a machine's worker has deferred its start.
 *
 * @param count deferrals since its last attempt that failed or succeeded
 * @param reason the reason of the latest deferral
 */
public record StartDeferral(int count, String reason) {
    /** The number of consecutive deferrals from which operators are notified; by then the wait has grown to minutes. */
    public static final int LASTING_COUNT = 6;

    public boolean isLasting() {
        return count >= LASTING_COUNT;
    }
}
