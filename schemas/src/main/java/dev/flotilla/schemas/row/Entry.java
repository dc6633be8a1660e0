package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an open campaign or intent has had to do with a machine. It makes the machine a member for good.
 *
 * @param wave the wave's name; empty for an intent
 * @param failedAttempts since the campaign began or the last retry order
 * @param retryAt not before then is the next attempt made; null where none is waited for
 * @param restUntil not before then does its cluster go on after its success; null where it need not rest
 */
public record Entry(
        Driver driver,
        String wave,
        int failedAttempts,
        @Nullable Instant retryAt,
        @Nullable Instant restUntil,
        Outcome outcome) {
    public static final int MAX_PER_MACHINE = 8;

    /** One after which nothing rests. */
    public Entry(Driver driver, String wave, int failedAttempts, @Nullable Instant retryAt, Outcome outcome) {
        this(driver, wave, failedAttempts, retryAt, null, outcome);
    }

    public Entry with(Outcome next) {
        return new Entry(driver, wave, failedAttempts, null, next);
    }
}
