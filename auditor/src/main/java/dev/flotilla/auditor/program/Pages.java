package dev.flotilla.auditor.program;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** The pages {@code /healthz}, {@code /metrics} and {@code /report}. They show the newest picture and ask for nothing. */
final class Pages implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;

    private final HttpServer server;

    /** A page as it is sent. */
    private record Page(int status, String type, String text) {}

    Pages(String host, int port, Supplier<Standing> standing) throws IOException {
        server = HttpServer.create(new InetSocketAddress(host, port), 0);
        server.createContext("/", exchange -> answer(exchange, standing.get()));
        server.start();
    }

    String url() {
        InetSocketAddress address = server.getAddress();
        return "http://" + address.getHostString() + ":" + address.getPort();
    }

    private static void answer(HttpExchange exchange, Standing standing) throws IOException {
        try (exchange) {
            Page page = exchange.getRequestMethod().equals("GET")
                    ? page(exchange.getRequestURI().getPath(), standing)
                    : new Page(NOT_ALLOWED, "text/plain", "only GET\n");
            byte[] bytes = page.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", page.type() + "; charset=utf-8");
            exchange.sendResponseHeaders(page.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static Page page(String path, Standing standing) {
        return switch (path) {
            case "/healthz" ->
                new Page(
                        standing.caughtUp() ? OK : UNAVAILABLE,
                        "text/plain",
                        standing.caughtUp() ? "caught up\n" : "reading, " + standing.lag() + " records to go\n");
            case "/metrics" -> new Page(OK, "text/plain; version=0.0.4", standing.metrics());
            case "/report" -> new Page(OK, "application/json", standing.json());
            default -> new Page(NOT_FOUND, "text/plain", "see /healthz, /metrics and /report\n");
        };
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
