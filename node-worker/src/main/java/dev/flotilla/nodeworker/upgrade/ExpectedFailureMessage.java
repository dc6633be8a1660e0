package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.kube.KubeApiPath;
import io.vertx.core.VertxException;

/**
 * Tells expected failures of a request about a machine from bugs. Expected are a failed future with a message ({@code
 * Future.failedFuture(String)}), an I/O error, and an invalid name in an object.
 */
final class ExpectedFailureMessage {
    private ExpectedFailureMessage() {}

    /** Throws a bug, so that it ends the loop. */
    static void throwIfBug(Throwable failure) {
        boolean bug = failure instanceof Error
                || (failure instanceof RuntimeException
                        && !(failure instanceof VertxException)
                        && !(failure instanceof KubeApiPath.InvalidNameException));
        if (bug) {
            throw new IllegalStateException("a request about a machine failed with a bug", failure);
        }
    }

    /** Returns the message of an expected failure. A bug is thrown. */
    static String messageOf(Throwable failure) {
        throwIfBug(failure);
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
