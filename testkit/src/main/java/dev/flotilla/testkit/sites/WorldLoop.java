package dev.flotilla.testkit.sites;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The one thread that may touch a world: it lets happen what is due on the wall clock, and what others ask for. */
interface WorldLoop {
    /** The time of the wall clock as it was at first, and steady from then on. */
    long now();

    /** Begins; {@code regularly} is run every now and then. */
    void start(SitesWorld what, Runnable regularly);

    /** Does something in the world, later. Waits where too much waits already. */
    void tell(Runnable action) throws InterruptedException;

    /** Asks the world something. */
    <T> CompletableFuture<T> ask(Supplier<T> question) throws InterruptedException;

    /** Ends when the loop has ended: by {@link #stop}, or with what went wrong. */
    CompletableFuture<Void> ended();

    void fail(Throwable why);

    void stop();
}
