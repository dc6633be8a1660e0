package dev.flotilla.schemas.row;

import java.time.Instant;

/** How an attempt failed, with the node's error, truncated to {@link #MAX_TEXT}. */
public record AttemptFailure(
        long attemptId, FailureClass failureClass, FailureReason reason, String text, Instant failedAt) {
    public static final int MAX_TEXT = 1024;

    public AttemptFailure {
        text = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}
