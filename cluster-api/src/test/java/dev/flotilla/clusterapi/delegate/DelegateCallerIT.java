package dev.flotilla.clusterapi.delegate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.SpecPath;
import dev.flotilla.clusterapi.update.UpdateAnswer;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.PostEndpoint;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of the answers of other extensions, over HTTPS. */
class DelegateCallerIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final CertificateAuthority AUTHORITY = CertificateAuthority.create("delegate-ca");
    private static final Queue<KubeObject> REQUESTS = new ConcurrentLinkedQueue<>();
    private static final Queue<String> ANSWERS = new ConcurrentLinkedQueue<>();
    private static final Queue<String> PATHS = new ConcurrentLinkedQueue<>();

    @TempDir
    private static Path folder;

    private static Vertx vertx;
    private static ApplicationHttpServer server;
    private static Path authorityFile;

    @BeforeAll
    static void start() throws Exception {
        KeyAndCertificate own = AUTHORITY.issue("127.0.0.1");
        authorityFile = Files.writeString(folder.resolve("ca.crt"), AUTHORITY.certificate());
        vertx = Vertx.vertx();
        server = ApplicationHttpServer.start(
                        vertx,
                        new HttpServerConfig(
                                new HostPort("127.0.0.1", 0),
                                new ServerTlsConfig(
                                        Files.writeString(folder.resolve("tls.crt"), own.certificate()),
                                        Files.writeString(folder.resolve("tls.key"), own.key()),
                                        null),
                                null),
                        new HealthAndMetricsRoutes(
                                () -> HealthStatus.healthy("alive"), () -> HealthStatus.healthy("ready"), () -> ""),
                        new PostEndpoint(
                                path -> true,
                                path -> false,
                                1_000_000,
                                4_000_000,
                                Duration.ofSeconds(5),
                                vertx.createSharedWorkerExecutor("delegates", 4),
                                4,
                                (path, body) -> {
                                    PATHS.add(path);
                                    REQUESTS.add(Objects.requireNonNull(
                                            KubeObject.parse(new String(body, StandardCharsets.UTF_8))));
                                    return Objects.requireNonNull(ANSWERS.poll())
                                            .getBytes(StandardCharsets.UTF_8);
                                }))
                .toCompletionStage()
                .toCompletableFuture()
                .get();
    }

    @AfterAll
    static void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get();
    }

    @BeforeEach
    void forget() {
        REQUESTS.clear();
        ANSWERS.clear();
        PATHS.clear();
    }

    private static UpdateDelegate delegate(String name, String url, Path caFile, String kind) {
        return new UpdateDelegate(
                name,
                URI.create(url),
                caFile,
                "update-machine",
                List.of(new UpdateDelegate.CoveredKind(kind, List.of(SpecPath.of("memoryMiB")))));
    }

    private static UpdateDelegate memory() {
        return delegate("memory", server.uri() + "/vendor/", authorityFile, "VSphereMachine");
    }

    private static UpdateAnswer ask(Duration timeout, UpdateDelegate... delegates) {
        CoverageTable table = CoverageTable.DEFAULT;
        for (UpdateDelegate each : delegates) {
            table = table.withDelegated(
                    each.covers().getFirst().kind(), each.covers().getFirst().paths());
        }
        return ask(table, timeout, delegates);
    }

    private static UpdateAnswer ask(CoverageTable table, Duration timeout, UpdateDelegate... delegates) {
        return new DelegateCaller(vertx, List.of(delegates), timeout)
                .update(table, Objects.requireNonNull(KubeObject.parse("""
            {"kind": "UpdateMachineRequest", "settings": {"uncovered": "stop"},
             "desired": {"machine": {"kind": "Machine", "metadata": {"name": "w-0"}, "spec": {"version": "v1.36.3"}},
               "infrastructureMachine": {"kind": "VSphereMachine", "spec": {"memoryMiB": 8192}}}}""")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"status":"Success","retryAfterSeconds":7,"message":"resizing"} | InProgress[retryAfterSeconds=7, message=delegate memory: resizing]
            {"status":"Success","retryAfterSeconds":99999}                  | InProgress[retryAfterSeconds=3600, message=delegate memory]
            {"status":"Success","retryAfterSeconds":0}                      | Done[]
            {"status":"Success"}                                            | Done[]
            {"status":"Failure","message":"no such host"}                   | Failed[message=delegate memory: no such host]
            {"status":"Success","retryAfterSeconds":"soon"}                 | InProgress[retryAfterSeconds=10, message=delegate memory does not answer]
            {"status":"Fine"}                                               | InProgress[retryAfterSeconds=10, message=delegate memory does not answer]
            {"retryAfterSeconds":0}                                         | InProgress[retryAfterSeconds=10, message=delegate memory does not answer]
            [[                                                              | InProgress[retryAfterSeconds=10, message=delegate memory does not answer]
            """)
    void onlyWhatItSaysClearlyIsDone(String answer, String expected) {
        ANSWERS.add(answer);
        assertThat(ask(TIMEOUT, memory())).hasToString(expected);
    }

    @Test
    void getsTheRequestOfClusterApiWithoutOurSettings() {
        ANSWERS.add("{\"status\":\"Success\"}");
        ask(TIMEOUT, memory());
        assertThat(PATHS)
                .containsExactly("/vendor/hooks.runtime.cluster.x-k8s.io/v1alpha1/updatemachine/update-machine");
        KubeObject request = REQUESTS.element();
        assertThat(request.text("kind")).isEqualTo("UpdateMachineRequest");
        assertThat(request.number("desired", "infrastructureMachine", "spec", "memoryMiB"))
                .isEqualTo(8192);
        assertThat(request.has("settings")).isFalse();
    }

    @Test
    void oneAfterTheOther() {
        UpdateDelegate disks = delegate("disks", server.uri().toString(), authorityFile, "VSphereMachine");
        ANSWERS.add("{\"status\":\"Success\",\"retryAfterSeconds\":5}");
        assertThat(ask(TIMEOUT, memory(), disks)).isEqualTo(new UpdateAnswer.InProgress(5, "delegate memory"));
        assertThat(PATHS).hasSize(1);
        ANSWERS.add("{\"status\":\"Success\",\"retryAfterSeconds\":0}");
        ANSWERS.add("{\"status\":\"Success\",\"retryAfterSeconds\":6}");
        assertThat(ask(TIMEOUT, memory(), disks)).isEqualTo(new UpdateAnswer.InProgress(6, "delegate disks"));
    }

    @Test
    void isNotAskedAboutOtherKindsNorWhereTheSettingsLeaveItOut() {
        assertThat(ask(TIMEOUT, delegate("memory", server.uri().toString(), authorityFile, "OtherMachine")))
                .isEqualTo(new UpdateAnswer.Done());
        assertThat(ask(CoverageTable.DEFAULT, TIMEOUT, memory())).isEqualTo(new UpdateAnswer.Done());
        assertThat(PATHS).isEmpty();
    }

    @Test
    void anotherCertificateARefusalATooLongAnswerAndSilenceAreNeverDone() throws Exception {
        UpdateAnswer unanswered = new UpdateAnswer.InProgress(10, "delegate memory does not answer");
        Path other = Files.writeString(
                folder.resolve("other.crt"),
                CertificateAuthority.create("other-ca").certificate());
        assertThat(ask(TIMEOUT, delegate("memory", server.uri().toString(), other, "VSphereMachine")))
                .isEqualTo(unanswered);
        assertThat(PATHS).as("a stranger gets no request").isEmpty();

        assertThat(ask(TIMEOUT, memory()))
                .as("without an answer the server says 500")
                .isEqualTo(unanswered);
        ANSWERS.add("{\"status\":\"Success\",\"message\":\"" + "x".repeat(DelegateCaller.MAX_ANSWER) + "\"}");
        assertThat(ask(TIMEOUT, memory())).isEqualTo(unanswered);
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThat(ask(
                            Duration.ofMillis(200),
                            delegate(
                                    "memory",
                                    "https://127.0.0.1:" + silent.getLocalPort(),
                                    authorityFile,
                                    "VSphereMachine")))
                    .isEqualTo(unanswered);
        }
    }
}
