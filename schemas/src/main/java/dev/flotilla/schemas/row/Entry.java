package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an open campaign or intent has had to do with a machine. It makes the machine a member for good.
 *
 * @param wave the wave's name; empty for an intent
 * @param failedAttempts since the campaign began or the last retry order
 * @param retryAt not before then is the next attempt made; null where none is waited for
 */
public record Entry(
        Driver driver,
        String wave,
        int failedAttempts,
        @Nullable Instant retryAt,
        Outcome outcome) {
    public static final int MAX_PER_MACHINE = 8;

    public Entry with(Outcome next) {
        return new Entry(driver, wave, failedAttempts, null, next);
    }
}
