package dev.flotilla.testkit.sites;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Serves {@code GET /calls} and {@code GET /stats}. */
final class SitesHttpServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int WRONG_METHOD = 405;
    private static final int WRONG_HOST = 421;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final long TIMEOUT_SECONDS = 10;

    private static final Pattern LOOPBACK =
            Pattern.compile("(127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]|localhost)(:\\d{1,5})?");

    private final HttpServer server;
    private final WorldExecutor world;

    SitesHttpServer(
            InetSocketAddress listen, WorldExecutor world, Supplier<JsonValue> ledger, Supplier<JsonValue> stats)
            throws IOException {
        this.world = world;
        this.server = HttpServer.create(listen, 0);
        server.createContext("/calls", exchange -> answer(exchange, ledger));
        server.createContext("/stats", exchange -> answer(exchange, stats));
    }

    void start() {
        server.start();
    }

    URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    private void answer(HttpExchange exchange, Supplier<JsonValue> query) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, WRONG_METHOD, problem("use GET"));
                return;
            }
            if (isRebound(exchange)) {
                send(exchange, WRONG_HOST, problem("the header Host names another server: use 127.0.0.1 or localhost"));
                return;
            }
            JsonValue jsonValue = world.execute(query).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            send(exchange, OK, jsonValue);
        } catch (ExecutionException | TimeoutException e) {
            send(exchange, SERVICE_UNAVAILABLE, problem("the world does not answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            send(exchange, SERVICE_UNAVAILABLE, problem("the server is shutting down"));
        }
    }

    /**
     * Whether a web page has resolved its own name to this machine (DNS rebinding). Only requests to a loopback name
     * are answered.
     */
    private static boolean isRebound(HttpExchange exchange) {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        return !LOOPBACK.matcher(host).matches();
    }

    private static JsonValue problem(String text) {
        return new JsonObjectReader.Builder().put("problem", text).build();
    }

    private static void send(HttpExchange exchange, int status, JsonValue jsonValue) throws IOException {
        JsonWriter writer = new JsonWriter();
        writer.jsonValue(jsonValue);
        byte[] body = writer.toBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
