package dev.flotilla.orchestrator.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Routes of the web page's files, with their security headers. */
public final class WebPageRoutes {
    /**
     * Content policy: nothing from other origins, nothing inline, no evaluation, no text parsed as markup. Text from
     * nodes and operators can be shown and cannot run.
     */
    static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri"
                    + " 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
                    + " trusted-types 'none'";

    private static final String ROOT = "/";
    private static final String FOLDER = "/page/";
    private static final String INDEX = "index.html";

    /** All files of the page; other names are not looked up. */
    private static final List<String> FILES = List.of(
            INDEX,
            "style.css",
            "icon.svg",
            "main.js",
            "api.js",
            "dom.js",
            "labels.js",
            "fleet.js",
            "campaigns.js",
            "map.js",
            "events.js",
            "machines.js",
            "cluster.js",
            "machine.js");

    private record Asset(String contentType, Buffer content) {}

    private final Map<String, Asset> assets = FILES.stream()
            .collect(Collectors.toMap(name -> name.equals(INDEX) ? ROOT : FOLDER + name, WebPageRoutes::read));

    public void mount(Router router) {
        assets.forEach((path, asset) -> router.route(HttpMethod.GET, path)
                .method(HttpMethod.HEAD)
                .handler(ctx -> ctx.response()
                        .putHeader("Content-Type", asset.contentType())
                        .putHeader("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
                        .end(asset.content())));
    }

    /** Whether the path is a file of the page, which needs no authentication. */
    public boolean hasPath(String path) {
        return assets.containsKey(path);
    }

    private static Asset read(String name) {
        try (InputStream in = WebPageRoutes.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the program's jar lacks the file " + FOLDER + name);
            }
            return new Asset(contentType(name), Buffer.buffer(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalStateException("no content type for " + name + ": add its suffix here");
        };
    }
}
