package dev.flotilla.kube;

/** Describes the root cause of an exception: HTTP clients wrap exceptions several times. */
public final class RootCauseMessage {
    private RootCauseMessage() {}

    public static String describe(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }
}
