package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.intercept.InterceptWebhook;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.testkit.cert.CertificateAuthority;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The webhook does for a real API server what the policy does: all tests of the policy hold. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class InterceptWebhookIT extends AdmissionPolicyIT {
    @TempDir
    private static Path folder;

    private final Vertx vertx = Vertx.vertx();
    private KubeApiClient watcher;
    private ApplicationHttpServer server;
    private ManagementTestBed bed;

    @Override
    void intercept(ManagementTestBed cluster) throws Exception {
        bed = cluster;
        CertificateAuthority authority = CertificateAuthority.create("webhooks");
        authority.issue("watcher").writeSeparateFiles(folder);
        watcher = ManagementTestBed.openClient(cluster.cluster.kubeconfig(ManagementTestBed.WATCHER));
        server = ApplicationHttpServer.start(
                        vertx,
                        new HttpServerConfig(
                                new HostPort("127.0.0.1", 0),
                                new ServerTlsConfig(folder.resolve("watcher.crt"), folder.resolve("watcher.key"), null),
                                null),
                        new HealthAndMetricsRoutes(
                                () -> HealthStatus.healthy("alive"), () -> HealthStatus.healthy("ready"), () -> ""),
                        new InterceptWebhook(watcher).endpoint(vertx, true))
                .await();
        cluster.applyInterceptWebhook(server.uri().toString(), authority.certificate());
        cluster.awaitInterception();
    }

    @Override
    boolean isWebhook() {
        return true;
    }

    /** The last one: nothing answers any more. */
    @Test
    @Order(Integer.MAX_VALUE)
    void whileNothingAnswersOnlyTheProvidersAnnotationIsRejected() {
        bed.applyMachine("before", "blue");
        server.stop().await();
        String path = ManagementTestBed.path("machines", "before");
        assertThat(bed.patchAnnotation(path, ManagementTestBed.KEYS + "to", "revision=9"))
                .isInstanceOfSatisfying(
                        KubeResponse.ErrorResponse.class,
                        refused -> assertThat(refused.problem()).contains("rename-upgrade-annotation.flotilla.dev"));
        assertThat(bed.patchAnnotation(path, "example.org/mine", "written"))
                .isInstanceOf(KubeResponse.SuccessResponse.class);
        bed.applyMachine("joins", "blue", ", labels: {cluster.x-k8s.io/deployment-name: workers}");
        assertThat(bed.readUpgradeAnnotation("joins", "release")).isNull();
    }

    @AfterAll
    void closeWebhook() {
        watcher.close();
        vertx.close().await();
    }
}
