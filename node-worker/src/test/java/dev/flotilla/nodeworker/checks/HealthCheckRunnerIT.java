package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that ask real HTTP servers. What answers queries here has Prometheus' form and is a stub. */
class HealthCheckRunnerIT {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private HttpServer secret;
    private HealthCheckRunner healthCheckRunner;

    @BeforeEach
    void start() throws Exception {
        KeyAndCertificate identity = CertificateAuthority.create("checks").issue("localhost");
        server = listening(new HttpServerOptions());
        secret = listening(new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setKeyValue(Buffer.buffer(identity.key()))
                        .setCertValue(Buffer.buffer(identity.certificate()))));
        healthCheckRunner = new HealthCheckRunner(
                vertx,
                new HealthCheckConfig(
                        List.of(
                                HttpOrigin.parse(plain()),
                                HttpOrigin.parse("https://localhost:" + secret.actualPort()),
                                HttpOrigin.parse("http://169.254.169.254"),
                                HttpOrigin.parse("http://127.0.0.1:1")),
                        URI.create(plain() + "/prometheus/"),
                        Files.writeString(folder.resolve("token"), "a-token\n"),
                        null));
    }

    private HttpServer listening(HttpServerOptions options) {
        return vertx.createHttpServer(options)
                .requestHandler(request -> {
                    asked.add(request.uri() + " " + request.getHeader("Authorization"));
                    switch (request.path()) {
                        case "/healthy/m-1" -> request.response().end("{\"database\": \"up\"}");
                        case "/moved" ->
                            request.response()
                                    .setStatusCode(302)
                                    .putHeader("Location", plain() + "/healthy/m-1")
                                    .end();
                        case "/endless" ->
                            request.response().setChunked(true).write("x".repeat(RestrictedHttpClient.MOST_BYTES + 1));
                        case "/silent" -> {
                            // Never answered.
                        }
                        case "/prometheus/api/v1/query" ->
                            request.response()
                                    .end("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":"
                                            + "[{\"metric\":{},\"value\":[1.5,\"2\"]}]}}");
                        default -> request.response().setStatusCode(404).end();
                    }
                })
                .listen(0, "127.0.0.1")
                .await();
    }

    private String plain() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    @AfterEach
    void stop() {
        healthCheckRunner.close();
        vertx.close().await();
    }

    private @Nullable String http(String url, Duration within) throws Exception {
        return ask(new HealthCheck.HttpProbe(url, 200, null, "/database", "up"), within);
    }

    private @Nullable String ask(HealthCheck.CheckProbe probe, Duration within) throws Exception {
        HealthCheck check = new HealthCheck("it", probe, true, within, List.of());
        List<FailedCheck> findings = healthCheckRunner.runChecks(
                List.of(check), name -> name.equals("machine") ? "m-1" : "other", new None());
        return findings.isEmpty() ? null : findings.getFirst().text();
    }

    @Test
    void passesForAHealthyService() throws Exception {
        assertThat(http(plain() + "/healthy/${machine}", SOON)).isNull();
        assertThat(http(plain() + "/ill", SOON)).isEqualTo("status 404, not 200");
    }

    @Test
    void doesNotFollowRedirects() throws Exception {
        assertThat(http(plain() + "/moved", SOON)).isEqualTo("status 302, not 200");
        assertThat(asked).containsExactly("/moved null");
    }

    @Test
    void usesOnlyServersThatTheSiteAllows() throws Exception {
        assertThat(http("http://localhost:" + server.actualPort() + "/healthy/m-1", SOON))
                .contains("is not allowed in this site");
        assertThat(http("https://127.0.0.1:" + server.actualPort() + "/", SOON)).contains("is not allowed");
        assertThat(asked).isEmpty();
    }

    @Test
    void neverUsesMetadataAddresses() throws Exception {
        assertThat(http("http://169.254.169.254/latest/meta-data", SOON)).contains("where clouds keep their metadata");
    }

    @Test
    void rejectsAnUntrustedCertificate() throws Exception {
        assertThat(http("https://localhost:" + secret.actualPort() + "/healthy/m-1", SOON))
                .contains("did not respond");
        assertThat(asked).isEmpty();
    }

    @Test
    void reportsRefusedConnectionTimeoutAndLargeBody() throws Exception {
        assertThat(http("http://127.0.0.1:1/", SOON)).contains("http://127.0.0.1:1 did not respond");
        assertThat(http(plain() + "/silent", Duration.ofMillis(50))).contains("did not respond in time");
        assertThat(http(plain() + "/endless", SOON))
                .contains("more than " + RestrictedHttpClient.MOST_BYTES + " bytes");
    }

    @Test
    void queriesTheSitesPrometheusWithItsToken() throws Exception {
        assertThat(ask(new HealthCheck.PromQlProbe("up{node=\"${node}\"}", "== 2"), SOON))
                .isNull();
        assertThat(ask(new HealthCheck.PromQlProbe("x", "< 2"), SOON)).isEqualTo("the value is 2, not < 2");
        assertThat(asked.getFirst())
                .isEqualTo("/prometheus/api/v1/query?query=up%7Bnode%3D%22other%22%7D Bearer a-token");
    }

    @Test
    void reportsAMissingPrometheus() throws Exception {
        try (HealthCheckRunner bare = new HealthCheckRunner(vertx, HealthCheckConfig.NONE)) {
            HealthCheck check = new HealthCheck("it", new HealthCheck.PromQlProbe("x", "< 2"), true, SOON, List.of());
            assertThat(bare.runChecks(List.of(check), name -> "n", new None()))
                    .containsExactly(new FailedCheck(
                            check, "the site has no Prometheus; set checks.prometheus of its node-workers"));
        }
    }

    @Test
    void rejectsAPortThatDoesNotExist() {
        assertThat(HttpOrigin.problemOf("http://health.example:65535")).isNull();
        assertThat(HttpOrigin.problemOf("http://health.example:65536")).isNotNull();
    }

    @Test
    void rejectsATokenThatFitsNoHeader() throws Exception {
        Files.writeString(folder.resolve("token"), "one\ntwo\n");
        assertThat(ask(new HealthCheck.PromQlProbe("x", "< 2"), SOON)).contains("must contain one line");
        assertThat(asked).isEmpty();
    }

    @Test
    void reportsAnInvalidNameAsAFailedCheck() throws Exception {
        HealthCheck check = deployments();
        assertThat(healthCheckRunner.runChecks(
                        List.of(check), name -> "n", throwing(() -> KubeApiPath.listPath("v1", "..", "pods"))))
                .containsExactly(
                        new FailedCheck(check, "the check cannot be run: '..' is not a name of a Kubernetes object"));
    }

    /** Otherwise the worker would go on with the bug, and the failed check would look like one of the site. */
    @Test
    void throwsTheBugOfACheck() {
        NullPointerException bug = new NullPointerException("a bug");
        assertThatThrownBy(() -> healthCheckRunner.runChecks(List.of(deployments()), name -> "n", throwing(() -> {
                    throw bug;
                })))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("check it failed with a bug")
                .hasCause(bug);
    }

    private static HealthCheck deployments() {
        return new HealthCheck(
                "it",
                new HealthCheck.ObjectConditionProbe(
                        true, "apps/v1", "deployments", null, Labels.NONE, "Available", "True"),
                true,
                SOON,
                List.of());
    }

    private static HealthCheckRunner.ClusterApiQueries throwing(Supplier<@Nullable String> query) {
        return new HealthCheckRunner.ClusterApiQueries() {
            @Override
            public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> question) {
                return query.get();
            }

            @Override
            public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> question) {
                return query.get();
            }
        };
    }

    /** No cluster is asked here. */
    private static final class None implements HealthCheckRunner.ClusterApiQueries {
        @Override
        public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> question) {
            return "no management cluster";
        }

        @Override
        public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> question) {
            return "no workload cluster";
        }
    }
}
