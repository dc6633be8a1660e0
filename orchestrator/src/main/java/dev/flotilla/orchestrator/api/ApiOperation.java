package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.request.ApiParameter;
import dev.flotilla.orchestrator.api.request.RequestParameters;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.JsonResponseWriter;
import dev.flotilla.schemas.json.codec.JsonCodec;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * One operation of the API.
 *
 * @param id its name in the OpenAPI document and in metrics
 * @param path the route; variable parts are written {@code :name}
 * @param codec encodes the response
 */
record ApiOperation<T>(
        String id,
        String path,
        String summary,
        List<ApiParameter> parameters,
        JsonCodec<T> codec,
        OperationHandler<T> handler) {

    /** Makes the response to a request. Problems with the parameters that it finds on the way are reported instead. */
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
        HttpErrorResponse parameterError = requestParameters.problem();
        if (parameterError != null) {
            parameterError.send(ctx.response());
            return;
        }
        handler.handle(requestParameters)
                .onSuccess(apiResult -> {
                    HttpErrorResponse lateError = requestParameters.problem();
                    if (lateError != null) {
                        lateError.send(ctx.response());
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
