package dev.flotilla.auditor.program;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Serves {@code /healthz}, {@code /metrics} and {@code /report} from the newest snapshot. */
final class AuditorHttpServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAUTHENTICATED = 401;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int WRONG_HOST = 421;
    private static final int UNAVAILABLE = 503;

    private static final int CONNECTIONS = 256;
    private static final int REQUEST_SECONDS = 10;
    private static final int RESPONSE_SECONDS = 60;
    private static final String HEALTH = "/healthz";

    static {
        // The JDK's server takes its limits only from system properties. Without them a client that never completes its
        // request holds a connection for ever.
        setLimit("jdk.httpserver.maxConnections", CONNECTIONS);
        setLimit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        setLimit("sun.net.httpserver.maxRspTime", RESPONSE_SECONDS);
    }

    private final HttpListenerConfig httpListenerConfig;
    private final HttpServer server;
    /** One thread for each request: a slow client must not delay others, least of all a kubelet's probe. */
    private final ExecutorService requestThreads = Executors.newCachedThreadPool(PageThread::new);

    /** A response as it is sent. */
    private record Page(int status, String type, String text) {}

    AuditorHttpServer(HttpListenerConfig httpListenerConfig, Supplier<AuditSnapshot> snapshots) throws IOException {
        this.httpListenerConfig = httpListenerConfig;
        server = httpListenerConfig.openServer();
        server.setExecutor(requestThreads);
        server.createContext("/", exchange -> answer(exchange, snapshots.get()));
        server.start();
    }

    private static void setLimit(String name, int value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, Integer.toString(value));
        }
    }

    String url() {
        InetSocketAddress address = server.getAddress();
        return (httpListenerConfig.isSecure() ? "https://" : "http://") + address.getHostString() + ":"
                + address.getPort();
    }

    private void answer(HttpExchange exchange, AuditSnapshot auditSnapshot) throws IOException {
        try (exchange) {
            Page page = page(exchange, auditSnapshot);
            byte[] bytes = page.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", page.type() + "; charset=utf-8");
            if (page.status() == UNAUTHENTICATED) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            }
            exchange.sendResponseHeaders(page.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Page page(HttpExchange exchange, AuditSnapshot auditSnapshot) {
        String path = exchange.getRequestURI().getPath();
        // A kubelet has no token.
        if (!HEALTH.equals(path)
                && !httpListenerConfig.isAuthorized(exchange.getRequestHeaders().getFirst("Authorization"))) {
            return new Page(UNAUTHENTICATED, "text/plain", "send the header Authorization: Bearer <token>\n");
        }
        if (httpListenerConfig.isRebound(exchange.getRequestHeaders().getFirst("Host"))) {
            return new Page(
                    WRONG_HOST, "text/plain", "the header Host names another server: use 127.0.0.1 or localhost\n");
        }
        return exchange.getRequestMethod().equals("GET")
                ? page(path, auditSnapshot)
                : new Page(NOT_ALLOWED, "text/plain", "only GET\n");
    }

    private static Page page(String path, AuditSnapshot auditSnapshot) {
        return switch (path) {
            case HEALTH ->
                new Page(
                        auditSnapshot.caughtUp() ? OK : UNAVAILABLE,
                        "text/plain",
                        auditSnapshot.caughtUp()
                                ? "caught up\n"
                                : "reading, " + auditSnapshot.lag() + " records to go\n");
            case "/metrics" -> new Page(OK, "text/plain; version=0.0.4", auditSnapshot.metrics());
            case "/report" -> new Page(OK, "application/json", auditSnapshot.json());
            default -> new Page(NOT_FOUND, "text/plain", "see /healthz, /metrics and /report\n");
        };
    }

    @Override
    public void close() {
        server.stop(0);
        requestThreads.shutdownNow();
    }
}
