package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.thread.VirtualThreadRunner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs actions one after another, each on a virtual thread, and completes their futures on the caller's context. */
final class SerialTaskExecutor {
    private final Vertx vertx;
    private Future<?> last = Future.succeededFuture();

    SerialTaskExecutor(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Whether no action is running or waiting. */
    boolean isIdle() {
        return last.isComplete();
    }

    <T extends @Nullable Object> Future<T> submit(Callable<T> action) {
        Context context = vertx.getOrCreateContext();
        Future<T> current = last.transform(before -> VirtualThreadRunner.run(context, action));
        last = current;
        return current;
    }
}
