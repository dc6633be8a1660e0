package dev.flotilla.managementwatcher.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines that are created at once. One whose AdmissionReview is refused joins without a release. */
class ConcurrentReviewsIT {
    /** What Cluster API creates at once for several owners: ten Machines of each. */
    private static final int MACHINES = 60;

    private static final String REVIEW = """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u-%d", "namespace": "fleet",
         "object": {"metadata": {"labels": {"cluster.x-k8s.io/deployment-name": "workers"}}}, "oldObject": null}}
        """;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch readable = new CountDownLatch(1);
    private ApplicationHttpServer server;

    @BeforeEach
    void start() {
        server = ApplicationHttpServer.start(
                        vertx,
                        HttpServerConfig.DEFAULT,
                        new HealthAndMetricsRoutes(
                                () -> HealthStatus.healthy("alive"), () -> HealthStatus.healthy("ready"), () -> ""),
                        new InterceptWebhook(this::readReleases).endpoint(vertx, true))
                .await();
    }

    /** Answers like an API server that is slow at first. */
    private KubeResponse readReleases(String namespace, String name) {
        reading.countDown();
        try {
            readable.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new KubeResponse.SuccessResponse(
                SampleObjects.kube("{'data': {'MachineDeployment.workers': 'revision=7'}}"));
    }

    @AfterEach
    void stop() {
        readable.countDown();
        client.close();
        vertx.close().await();
    }

    @Test
    void allGetTheirReleaseWhileTheReleasesAreReadSlowly() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, MACHINES)
                .mapToObj(machine -> client.sendAsync(
                        HttpRequest.newBuilder(URI.create(server.uri() + InterceptWebhook.JOINER_PATH))
                                .POST(HttpRequest.BodyPublishers.ofString(REVIEW.formatted(machine)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()))
                .toList();
        reading.await();
        for (int i = 0; i < MACHINES; i++) {
            client.send(
                    HttpRequest.newBuilder(URI.create(server.uri() + "/livez")).build(),
                    HttpResponse.BodyHandlers.discarding());
        }
        readable.countDown();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS))
                    .satisfies(response -> assertThat(response.statusCode())
                            .as(response.body())
                            .isEqualTo(200));
            assertThat(answer.get().body()).contains("\"patch\"");
        }
    }
}
