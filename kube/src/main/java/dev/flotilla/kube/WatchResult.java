package dev.flotilla.kube;

/** How a watch ended. */
public sealed interface WatchResult {
    /** It was over: one goes on from the last version that was seen. */
    record WatchEnded() implements WatchResult {}

    /** Its beginning is too long ago: everything has to be listed again. */
    record VersionExpired() implements WatchResult {}

    /**
     * It broke off, was refused, or went silent.
     *
     * @param retryAfterSeconds how long the API server asks to be left alone; 0 where it does not
     */
    record WatchBroken(String reason, long retryAfterSeconds) implements WatchResult {
        public WatchBroken(String why) {
            this(why, 0);
        }
    }

    /** Takes events as they come. */
    interface WatchHandler {
        /** The API server has begun to tell. */
        void onOpened();

        /**
         * Takes one.
         *
         * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED}, or {@code BOOKMARK}, whose object is no more than a version
         */
        void onEvent(String type, KubeObject object) throws InterruptedException;
    }
}
