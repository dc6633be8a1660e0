package dev.flotilla.runtime.http;

import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.schemas.json.tree.RedactedText;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes error responses for unknown paths, exceptions and invalid requests. */
final class ErrorResponseHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorResponseHandler.class);

    private ErrorResponseHandler() {}

    static void mount(Router router) {
        router.errorHandler(404, ErrorResponseHandler::handleNotFound);
        router.errorHandler(405, ErrorResponseHandler::handleNotFound);
        router.errorHandler(400, ctx -> badRequest(400).send(ctx.response()));
        router.errorHandler(500, ErrorResponseHandler::handleBug);
    }

    private static void handleNotFound(RoutingContext ctx) {
        new HttpErrorResponse(
                        404,
                        "not-found",
                        "There is no resource at "
                                + RedactedText.redact(
                                        String.valueOf(ctx.request().path())) + ".",
                        "see /api/v1/openapi.json for the available paths")
                .send(ctx.response());
    }

    /** Handles an exception in a route. The client gets no internal detail. */
    private static void handleBug(RoutingContext ctx) {
        LOG.atError()
                .addKeyValue(
                        LogKey.PATH.label(),
                        RedactedText.redact(String.valueOf(ctx.request().path())))
                .setCause(ctx.failure())
                .log("request failed");
        new HttpErrorResponse(
                        500, "bug", "The server failed to answer the request because of a bug.", "see the server's log")
                .send(ctx.response());
    }

    /** Handles a request that is not valid HTTP or too large. The connection cannot be used afterwards. */
    static void rejectUnreadable(HttpServerRequest request) {
        Throwable why = request.decoderResult().cause();
        int status =
                why instanceof TooLongHttpLineException ? 414 : why instanceof TooLongHttpHeaderException ? 431 : 400;
        SecurityHeaders.put(request.response(), request.isSSL());
        badRequest(status).sendAndClose(request);
    }

    private static HttpErrorResponse badRequest(int status) {
        return switch (status) {
            case 414 -> new HttpErrorResponse(414, "too-long", "The URL is too long.", "use fewer query parameters");
            case 431 -> new HttpErrorResponse(431, "too-large", "The headers are too large.", null);
            default -> new HttpErrorResponse(400, "bad-request", "The request is not valid HTTP.", null);
        };
    }
}
