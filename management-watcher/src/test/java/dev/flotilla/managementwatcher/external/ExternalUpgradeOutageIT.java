package dev.flotilla.managementwatcher.external;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ExternalUpgradeRequests while the API server does not answer: nothing is decided, and the caller sends them again. */
class ExternalUpgradeOutageIT {
    private static final String REQUEST = """
            {"apiVersion": "flotilla.dev/v1alpha1", "kind": "ExternalUpgradeRequest",
             "cluster": {"namespace": "fleet", "name": "blue"},
             "owner": {"apiGroup": "cluster.x-k8s.io", "kind": "MachineDeployment", "name": "workers"},
             "newSpec": {"version": "v1.36.3"}}""";

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private HttpServer apiServer;
    private KubeApiClient api;
    private ExternalUpgradeServer server;

    @BeforeEach
    void start() throws Exception {
        apiServer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        apiServer.createContext("/", this::respond);
        apiServer.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + apiServer.getAddress().getPort())
                .build();
        api = new KubeApiClient(config, 4);
        server = ExternalUpgradeServer.start(
                        vertx,
                        new ExternalUpgradeConfig(new HostPort("127.0.0.1", 0), null),
                        api,
                        new SiteId("east"),
                        () -> SiteMode.DIRECT)
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        api.close();
        apiServer.stop(0);
    }

    /** Knows every caller and lets it create tasks; everything else fails. */
    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + path);
        boolean isReview = path.endsWith("reviews");
        byte[] body = (isReview
                        ? "{\"status\": {\"authenticated\": true, \"allowed\": true, \"user\": {\"username\": \"ada\"}}}"
                        : "{\"kind\": \"Status\", \"message\": \"etcdserver: request timed out\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isReview ? 201 : 500, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private HttpResponse<String> ask() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + ExternalUpgradeServer.PATH))
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer token")
                            .POST(HttpRequest.BodyPublishers.ofString(REQUEST))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void nothingIsDecidedWhileTheApiServerFails() throws Exception {
        HttpResponse<String> response = ask();
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("\"unavailable\"").contains("try again: nothing is decided yet");
        assertThat(requests)
                .filteredOn(request -> request.startsWith("POST"))
                .allMatch(request -> request.endsWith("reviews"));
    }

    @Test
    void nobodyIsAuthorizedWhileTheApiServerIsAway() throws Exception {
        apiServer.stop(0);
        HttpResponse<String> response = ask();
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("\"not-reviewed\"").contains("The caller cannot be checked");
    }
}
