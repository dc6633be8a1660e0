package dev.flotilla.kube;

/** How a watch ended. */
public sealed interface WatchResult {
    /** The watch ended normally; the next one continues from the last resource version. */
    record WatchEnded() implements WatchResult {}

    /** The resource version is too old: everything must be listed again. */
    record VersionExpired() implements WatchResult {}

    /**
     * The watch broke, was rejected, or became silent.
     *
     * @param retryAfterSeconds how long to wait before the next watch; 0 if the API server did not say
     */
    record WatchBroken(String reason, long retryAfterSeconds) implements WatchResult {
        public WatchBroken(String why) {
            this(why, 0);
        }
    }

    /** Handles the events of a watch. */
    interface WatchHandler {
        /** Called when the API server has accepted the watch. */
        void onOpened();

        /**
         * Called for each event.
         *
         * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED}, or {@code BOOKMARK}, whose object has only a resource version
         */
        void onEvent(String type, KubeObject object) throws InterruptedException;
    }
}
