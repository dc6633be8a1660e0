package dev.flotilla.testkit.sites;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Runs a query on the only thread that may access a world. */
interface WorldExecutor {
    <T> CompletableFuture<T> execute(Supplier<T> question) throws InterruptedException;
}
