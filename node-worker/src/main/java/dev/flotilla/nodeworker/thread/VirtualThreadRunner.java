package dev.flotilla.nodeworker.thread;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs blocking actions on virtual threads and completes their futures on a Vert.x context. */
public final class VirtualThreadRunner {
    private VirtualThreadRunner() {}

    public static <T extends @Nullable Object> Future<T> run(Vertx vertx, Callable<T> action) {
        return run(vertx.getOrCreateContext(), action);
    }

    /** Runs an action and completes its future on a context. */
    public static <T extends @Nullable Object> Future<T> run(Context context, Callable<T> action) {
        Promise<T> promise = Promise.promise();
        Thread.ofVirtual().name("flotilla-node-client").start(() -> {
            try {
                T result = action.call();
                context.runOnContext(go -> promise.complete(result));
            } catch (Exception | Error e) {
                context.runOnContext(go -> promise.fail(e));
            }
        });
        return promise.future();
    }
}
