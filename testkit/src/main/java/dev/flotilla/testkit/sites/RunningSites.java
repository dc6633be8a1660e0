package dev.flotilla.testkit.sites;

import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** Sites at work. */
public interface RunningSites extends AutoCloseable {
    /** Where the nodes' ledger is asked for. */
    URI uri();

    /** Ends when they are closed, or with what went wrong. */
    CompletableFuture<Void> ended();

    @Override
    void close();
}
