package dev.flotilla.testkit.sites;

import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** Running sites. */
interface RunningSites extends AutoCloseable {
    /** The address of the nodes' call ledger. */
    URI uri();

    /** Completes when they are closed, or exceptionally with a failure. */
    CompletableFuture<Void> ended();

    @Override
    void close();
}
