package dev.flotilla.kube;

/** How a watch ended. */
public sealed interface Watched {
    /** It was over: one goes on from the last version that was seen. */
    record Ended() implements Watched {}

    /** Its beginning is too long ago: everything has to be listed again. */
    record Expired() implements Watched {}

    /** It broke off, was refused, or went silent. */
    record Broken(String why) implements Watched {}

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
