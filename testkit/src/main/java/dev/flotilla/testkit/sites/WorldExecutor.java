package dev.flotilla.testkit.sites;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Asks a world something, on the one thread that may touch it. */
interface WorldExecutor {
    <T> CompletableFuture<T> execute(Supplier<T> question) throws InterruptedException;
}
