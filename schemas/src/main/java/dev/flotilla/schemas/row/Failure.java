package dev.flotilla.schemas.row;

import java.time.Instant;

/** How an attempt failed, with what the node said, cut to {@link #MAX_TEXT}. */
public record Failure(long attempt, FailureClass failureClass, FailureReason reason, String text, Instant time) {
    public static final int MAX_TEXT = 1024;

    public Failure {
        text = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}
