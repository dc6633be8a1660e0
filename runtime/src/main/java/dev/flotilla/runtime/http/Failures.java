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
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    static void mount(Router router) {
        router.errorHandler(404, Failures::notFound);
        router.errorHandler(405, Failures::notFound);
        router.errorHandler(400, ctx -> badRequest(400).send(ctx.response()));
        router.errorHandler(500, Failures::bug);
    }

    private static void notFound(RoutingContext ctx) {
        new HttpError(
                        404,
                        "not-found",
                        "There is nothing at "
                                + RedactedText.redact(String.valueOf(ctx.request().path())) + ".",
                        "see /api/v1/openapi.json for what there is")
                .send(ctx.response());
    }

    /** The client learns that it is our mistake, and nothing of what is inside. */
    private static void bug(RoutingContext ctx) {
        LOG.atError()
                .addKeyValue("path", RedactedText.redact(String.valueOf(ctx.request().path())))
                .setCause(ctx.failure())
                .log("a question could not be answered");
        new HttpError(500, "bug", "The question could not be answered.", "the server's log says why")
                .send(ctx.response());
    }

    /** A request that is not HTTP, or more than is taken. The connection is of no use after it. */
    static void unreadable(HttpServerRequest request) {
        Throwable why = request.decoderResult().cause();
        int status =
                why instanceof TooLongHttpLineException ? 414 : why instanceof TooLongHttpHeaderException ? 431 : 400;
        Headers.put(request.response(), request.isSSL());
        request.response().putHeader("Connection", "close");
        badRequest(status).send(request.response());
    }

    private static HttpError badRequest(int status) {
        return switch (status) {
            case 414 -> new HttpError(414, "too-long", "The address is longer than is taken.", "ask for less at once");
            case 431 -> new HttpError(431, "too-large", "The headers are larger than is taken.", null);
            default -> new HttpError(400, "bad-request", "The request cannot be read.", null);
        };
    }
}
