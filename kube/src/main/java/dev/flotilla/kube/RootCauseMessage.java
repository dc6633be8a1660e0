package dev.flotilla.kube;

/** What is at the bottom of a failure, in its own words: clients wrap what happened to them several times. */
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
