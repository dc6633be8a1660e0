package dev.flotilla.kube;

/** How a watch ended. */
public sealed interface Watched {
    /** It was over: one goes on from the last version that was seen. */
    record Ended() implements Watched {}

    /** Its beginning is too long ago: everything has to be listed again. */
    record Expired() implements Watched {}

    /**
     * It broke off, was refused, or went silent.
     *
     * @param retryAfterSeconds how long the API server asks to be left alone; 0 where it does not
     */
    record Broken(String why, long retryAfterSeconds) implements Watched {
        public Broken(String why) {
            this(why, 0);
        }
    }

    /** Takes events as they come. */
    interface Taker {
        /** The API server has begun to tell. */
        void opened();

        /**
         * Takes one.
         *
         * @param type {@code ADDED}, {@code MODIFIED}, {@code DELETED}, or {@code BOOKMARK}, whose object is no more than a version
         */
        void take(String type, Kube object) throws InterruptedException;
    }
}
