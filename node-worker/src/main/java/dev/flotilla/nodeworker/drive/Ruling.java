package dev.flotilla.nodeworker.drive;

import org.jspecify.annotations.Nullable;

/**
 * Whether a machine may be upgraded now, as its objects say.
 *
 * @param forbidden why not; null where nothing speaks against it
 */
public record Ruling(@Nullable String forbidden) {
    public static final Ruling ALLOWED = new Ruling(null);
}
