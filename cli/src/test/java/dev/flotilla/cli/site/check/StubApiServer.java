package dev.flotilla.cli.site.check;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.UserKubeconfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/** A stub of an API server, which gives the answers that a test has written down, and a client of it. */
final class StubApiServer implements AutoCloseable {
    /** What the stub answers. */
    record StubAnswer(int status, String body) {}

    private final HttpServer server;
    private final KubeApiClient client;

    /**
     * Starts the stub.
     *
     * @param folder where it writes its kubeconfig
     * @param answers the answer to each path
     */
    StubApiServer(Path folder, Function<String, StubAnswer> answers) throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            StubAnswer answer = answers.apply(exchange.getRequestURI().getPath());
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: east
                clusters: [{name: east, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: east, context: {cluster: east, user: me}}]
                users: [{name: me, user: {token: t}}]
                """.formatted(server.getAddress().getPort()));
        client = UserKubeconfig.open(kubeconfig, Duration.ofSeconds(5), 1);
    }

    KubeApiClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        server.stop(0);
    }
}
