package dev.flotilla.testkit.sites;

import dev.flotilla.simulator.embedded.EmbeddedFleet;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The event loop of an embedded fleet, which lets happen by itself what is due. */
final class EmbeddedLoop implements WorldLoop {
    private static final long OFTEN = 200;

    private final Vertx vertx;
    private final EmbeddedFleet fleet;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    EmbeddedLoop(Vertx vertx, EmbeddedFleet fleet) {
        this.vertx = vertx;
        this.fleet = fleet;
    }

    @Override
    public long now() {
        return System.currentTimeMillis();
    }

    @Override
    public void start(SitesWorld what, Runnable regularly) {
        vertx.setPeriodic(OFTEN, tick -> tell(regularly));
    }

    @Override
    public void tell(Runnable action) {
        fleet.on(() -> {
                    action.run();
                    return true;
                })
                .onFailure(this::fail);
    }

    @Override
    public <T> CompletableFuture<T> ask(Supplier<T> question) {
        return fleet.on(question::get).toCompletionStage().toCompletableFuture();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public void fail(Throwable why) {
        ended.completeExceptionally(why);
        vertx.close();
    }

    @Override
    public void stop() {
        ended.complete(null);
        vertx.close();
    }
}
