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
record ApiOperation<T>(
        String id,
        String path,
        String summary,
        List<ApiParameter> parameters,
        JsonCodec<T> codec,
        OperationHandler<T> handler) {

    /** Finds the answer to what is given. What is wrong with it may be found on the way, and then counts. */
    @FunctionalInterface
    interface OperationHandler<T> {
        Future<ApiResult<T>> handle(RequestParameters requestParameters);
    }

    void mount(Router router, ApiRequestMetrics metrics) {
        router.route(HttpMethod.GET, path).method(HttpMethod.HEAD).handler(ctx -> {
            metrics.recordRequest(id, ctx);
            handle(ctx);
        });
    }

    private void handle(RoutingContext ctx) {
        RequestParameters requestParameters = new RequestParameters(ctx, parameters);
        HttpErrorResponse unknown = requestParameters.problem();
        if (unknown != null) {
            unknown.send(ctx.response());
            return;
        }
        handler.handle(requestParameters)
                .onSuccess(apiResult -> {
                    HttpErrorResponse wrong = requestParameters.problem();
                    if (wrong != null) {
                        wrong.send(ctx.response());
                    } else {
                        send(ctx, apiResult);
                    }
                })
                .onFailure(ctx::fail);
    }

    private void send(RoutingContext ctx, ApiResult<T> apiResult) {
        switch (apiResult) {
            case ApiResult.ApiValue<T> apiValue -> JsonResponseWriter.send(ctx.response(), codec, apiValue.value());
            case ApiResult.ApiError<T> apiError -> apiError.error().send(ctx.response());
        }
    }
}
