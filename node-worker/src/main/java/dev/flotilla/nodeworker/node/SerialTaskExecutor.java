package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.VirtualThreadRunner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Does one thing after the other, each on a virtual thread, and tells its end where it was asked for. */
final class SerialTaskExecutor {
    private final Vertx vertx;
    private Future<?> last = Future.succeededFuture();

    SerialTaskExecutor(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Whether all that was to be done is done. */
    boolean isIdle() {
        return last.isComplete();
    }

    <T extends @Nullable Object> Future<T> submit(Callable<T> action) {
        Context context = vertx.getOrCreateContext();
        Future<T> mine = last.transform(before -> VirtualThreadRunner.run(context, action));
        last = mine;
        return mine;
    }
}
