package dev.flotilla.nodeworker;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Does what blocks on a virtual thread, and tells its end where it was asked for. */
public final class VirtualThreadRunner {
    private VirtualThreadRunner() {}

    public static <T extends @Nullable Object> Future<T> run(Vertx vertx, Callable<T> action) {
        return run(vertx.getOrCreateContext(), action);
    }

    /** The same, told in a context. */
    public static <T extends @Nullable Object> Future<T> run(Context context, Callable<T> action) {
        Promise<T> promise = Promise.promise();
        Thread.ofVirtual().name("flotilla-hands").start(() -> {
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
