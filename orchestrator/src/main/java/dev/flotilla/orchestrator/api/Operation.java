package dev.flotilla.orchestrator.api;

import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.JsonResponseWriter;
import dev.flotilla.schemas.json.codec.JsonCodec;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * One thing that can be asked.
 *
 * @param id its name in the document and in metrics
 * @param path the route, its parts that vary as {@code :name}
 * @param codec how an answer looks
 */
record Operation<T>(
        String id, String path, String summary, List<Parameter> parameters, JsonCodec<T> codec, Answering<T> answering) {

    /** Finds the answer to what is given. What is wrong with it may be found on the way, and then counts. */
    @FunctionalInterface
    interface Answering<T> {
        Future<Reply<T>> to(Given given);
    }

    void mount(Router router, ApiMetrics metrics) {
        router.route(HttpMethod.GET, path).method(HttpMethod.HEAD).handler(ctx -> {
            metrics.watch(id, ctx);
            handle(ctx);
        });
    }

    private void handle(RoutingContext ctx) {
        Given given = new Given(ctx, parameters);
        HttpErrorResponse unknown = given.problem();
        if (unknown != null) {
            unknown.send(ctx.response());
            return;
        }
        answering
                .to(given)
                .onSuccess(reply -> {
                    HttpErrorResponse wrong = given.problem();
                    if (wrong != null) {
                        wrong.send(ctx.response());
                    } else {
                        send(ctx, reply);
                    }
                })
                .onFailure(ctx::fail);
    }

    private void send(RoutingContext ctx, Reply<T> reply) {
        switch (reply) {
            case Reply.Found<T> found -> JsonResponseWriter.send(ctx.response(), codec, found.value());
            case Reply.None<T> none -> none.why().send(ctx.response());
        }
    }
}
