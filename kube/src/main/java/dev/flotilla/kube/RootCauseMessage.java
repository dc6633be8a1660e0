package dev.flotilla.kube;

import java.net.ConnectException;

/** Describes the root cause of an exception: HTTP clients wrap exceptions several times. */
public final class RootCauseMessage {
    private RootCauseMessage() {}

    public static String describe(Throwable failure) {
        Throwable root = failure;
        boolean unconnected = failure instanceof ConnectException;
        while (root.getCause() != null) {
            root = root.getCause();
            unconnected |= root instanceof ConnectException;
        }
        String message = root.getMessage();
        if (message != null) {
            return message;
        }
        // The JDK's client says no more when a connection is refused.
        return unconnected
                ? "no connection: nothing listens there, or a firewall rejects it"
                : root.getClass().getSimpleName();
    }
}
