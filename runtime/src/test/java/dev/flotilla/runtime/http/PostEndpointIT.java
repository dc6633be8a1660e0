package dev.flotilla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies of open requests: together they have a limit, which what is answered immediately does not meet. */
class PostEndpointIT {
    private static final int MAX_BODY = 100;
    private static final int MAX_OPEN_BYTES = 150;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch answering = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private ApplicationHttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = ApplicationHttpServer.start(
                        vertx,
                        new HttpServerConfig(new HostPort("127.0.0.1", 0), null, null),
                        new HealthAndMetricsRoutes(
                                () -> HealthStatus.healthy("alive"), () -> HealthStatus.healthy("ready"), () -> ""),
                        new PostEndpoint(
                                path -> true,
                                "/immediate"::equals,
                                MAX_BODY,
                                MAX_OPEN_BYTES,
                                Duration.ofSeconds(60),
                                vertx.createSharedWorkerExecutor("answers", 4),
                                4,
                                this::answer))
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private byte[] answer(String path, byte[] body) {
        if (path.equals("/waiting")) {
            answering.countDown();
            try {
                answered.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return body;
    }

    @AfterEach
    void stop() throws Exception {
        answered.countDown();
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private CompletableFuture<HttpResponse<String>> send(String path, int... chunks) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create(server.uri() + path))
                        .POST(HttpRequest.BodyPublishers.ofByteArrays(
                                Arrays.stream(chunks).mapToObj(byte[]::new).toList()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private int post(String path, int... chunks) throws Exception {
        return send(path, chunks).get(60, TimeUnit.SECONDS).statusCode();
    }

    @Test
    void bodiesThatAreTooLargeTogetherAreSentAwayUntilThereIsRoomAgain() throws Exception {
        CompletableFuture<HttpResponse<String>> first = send("/waiting", MAX_BODY);
        answering.await();
        for (int i = 0; i < 3; i++) {
            assertThat(send("/another", 51).get(60, TimeUnit.SECONDS).body()).contains("\"overloaded\"");
            assertThat(post("/another", 40, 11)).isEqualTo(503);
            assertThat(post("/another", 40, MAX_BODY)).isEqualTo(413);
        }
        assertThat(post("/another", 50)).as("as much as there is room for").isEqualTo(200);
        assertThat(post("/immediate", MAX_BODY)).isEqualTo(200);
        answered.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(post("/another", MAX_BODY)).isEqualTo(200);
    }
}
