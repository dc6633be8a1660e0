package dev.flotilla.testkit.sites;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** {@code GET /ledger}, {@code GET /stats}, and where processes are simulated {@code POST /kill?what=worker}. */
final class SitesServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int WRONG_METHOD = 405;
    private static final int AWAY = 503;
    private static final long PATIENCE_SECONDS = 10;
    private static final String KILL = "what=";

    private final HttpServer server;
    private final Asker world;

    SitesServer(InetSocketAddress listen, Asker world, Supplier<Tree> ledger, Supplier<Tree> stats) throws IOException {
        this.world = world;
        this.server = HttpServer.create(listen, 0);
        server.createContext("/ledger", exchange -> answer(exchange, "GET", ledger));
        server.createContext("/stats", exchange -> answer(exchange, "GET", stats));
    }

    /** Lets processes be killed too. */
    void kills(SiteKills kills) {
        server.createContext("/kill", exchange -> answer(exchange, "POST", () -> killed(kills, exchange)));
    }

    void start() {
        server.start();
    }

    URI uri() {
        InetSocketAddress address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    private static Tree killed(SiteKills kills, HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        SiteKills.Kill kill =
                query == null || !query.startsWith(KILL) ? null : kills.kill(query.substring(KILL.length()));
        return kill == null ? problem("nothing to kill by " + query) : SitesReport.of(kill);
    }

    private void answer(HttpExchange exchange, String method, Supplier<Tree> question) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals(method)) {
                send(exchange, WRONG_METHOD, problem("use " + method));
                return;
            }
            Tree tree = world.ask(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            send(exchange, tree instanceof Obj obj && obj.get("problem") != null ? NOT_FOUND : OK, tree);
        } catch (ExecutionException | TimeoutException e) {
            send(exchange, AWAY, problem("the world does not answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            send(exchange, AWAY, problem("going down"));
        }
    }

    private static Tree problem(String text) {
        return new Obj.Builder().put("problem", text).build();
    }

    private static void send(HttpExchange exchange, int status, Tree tree) throws IOException {
        JsonWriter writer = new JsonWriter();
        writer.tree(tree);
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
