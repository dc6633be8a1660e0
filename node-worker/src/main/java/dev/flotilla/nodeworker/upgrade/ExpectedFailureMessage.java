package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.kube.KubeApiPath;
import io.vertx.core.VertxException;

/**
 * What may go wrong with a question, and has no answer of its own: a failure that says in words why ({@code
 * Future.failedFuture(String)}), one of I/O, and names in objects that cannot be names. Anything else is a bug.
 */
final class ExpectedFailureMessage {
    private ExpectedFailureMessage() {}

    /** Why it failed, in words. A bug is thrown on. */
    static String messageOf(Throwable failure) {
        boolean bug = failure instanceof Error
                || (failure instanceof RuntimeException
                        && !(failure instanceof VertxException)
                        && !(failure instanceof KubeApiPath.InvalidNameException));
        if (bug) {
            throw new IllegalStateException("a question about a machine ended in a bug", failure);
        }
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
