package dev.flotilla.runtime.http;

import dev.flotilla.schemas.json.tree.RedactedText;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is answered where no route has an answer. */
final class ErrorResponseHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorResponseHandler.class);

    private ErrorResponseHandler() {}

    static void mount(Router router) {
        router.errorHandler(404, ErrorResponseHandler::notFound);
        router.errorHandler(405, ErrorResponseHandler::notFound);
        router.errorHandler(400, ctx -> badRequest(400).send(ctx.response()));
        router.errorHandler(500, ErrorResponseHandler::bug);
    }

    private static void notFound(RoutingContext ctx) {
        new HttpErrorResponse(
                        404,
                        "not-found",
                        "There is nothing at "
                                + RedactedText.redact(
                                        String.valueOf(ctx.request().path())) + ".",
                        "see /api/v1/openapi.json for what there is")
                .send(ctx.response());
    }

    /** The client learns that it is our mistake, and nothing of what is inside. */
    private static void bug(RoutingContext ctx) {
        LOG.atError()
                .addKeyValue(
                        "path", RedactedText.redact(String.valueOf(ctx.request().path())))
                .setCause(ctx.failure())
                .log("a question could not be answered");
        new HttpErrorResponse(500, "bug", "The question could not be answered.", "the server's log says why")
                .send(ctx.response());
    }

    /** A request that is not HTTP, or more than is taken. The connection is of no use after it. */
    static void rejectUnreadable(HttpServerRequest request) {
        Throwable why = request.decoderResult().cause();
        int status =
                why instanceof TooLongHttpLineException ? 414 : why instanceof TooLongHttpHeaderException ? 431 : 400;
        SecurityHeaders.put(request.response(), request.isSSL());
        request.response().putHeader("Connection", "close");
        badRequest(status).send(request.response());
    }

    private static HttpErrorResponse badRequest(int status) {
        return switch (status) {
            case 414 ->
                new HttpErrorResponse(414, "too-long", "The address is longer than is taken.", "ask for less at once");
            case 431 -> new HttpErrorResponse(431, "too-large", "The headers are larger than is taken.", null);
            default -> new HttpErrorResponse(400, "bad-request", "The request cannot be read.", null);
        };
    }
}
