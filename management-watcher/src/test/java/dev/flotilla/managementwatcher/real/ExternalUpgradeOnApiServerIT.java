package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.config.ExternalUpgradeConfig;
import dev.flotilla.managementwatcher.external.ExternalUpgradeServer;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.stub.UpgradeTaskBed;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kube.KubeBinaries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** ExternalUpgradeRequests at a real API server, by a watcher with exactly its roles. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ExternalUpgradeOnApiServerIT {
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String SERVICE_ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";

    @TempDir
    static Path folder;

    private static ManagementTestBed bed;
    private static UpgradeTaskBed tasks;
    private static KubeApiClient watcher;
    private static Vertx vertx;
    private static CertificateAuthority authority;
    private static ExternalUpgradeServer server;
    private static HttpClient client;

    private record Reply(int status, KubeObject body) {
        String text(String... path) {
            return String.valueOf(body.text(path));
        }
    }

    @BeforeAll
    static void start() throws Exception {
        bed = ManagementTestBed.start();
        tasks = UpgradeTaskBed.install(bed);
        bed.cluster.apply(
                ROLES + "clusterroles/flotilla-external-upgrade-requests",
                Files.readString(Path.of("../deploy/management-watcher/external-upgrade-requests.yaml"))
                        .split("---\n")[0]);
        bed.cluster.apply(ROLES + "clusterrolebindings/external", """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: external}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: flotilla-external-upgrade-requests}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "%s"}]
            """.formatted(ManagementTestBed.WATCHER));
        tasks.bindRequester("controller");
        tasks.bindRequester("system:serviceaccount:default:asker");
        watcher = ManagementTestBed.openClient(bed.cluster.kubeconfig(ManagementTestBed.WATCHER));
        vertx = Vertx.vertx();
        authority = CertificateAuthority.create("callers");
        KeyAndCertificate own = authority.issue("127.0.0.1");
        server = await(ExternalUpgradeServer.start(
                vertx,
                new ExternalUpgradeConfig(
                        new HostPort("127.0.0.1", 0),
                        new ServerTlsConfig(
                                write("server.crt", own.certificate()),
                                write("server.key", own.key()),
                                write("ca.crt", authority.certificate()))),
                watcher,
                new SiteId("east"),
                () -> SiteMode.DIRECT));
        client = open("controller");
    }

    private static HttpClient open(@Nullable String user) throws Exception {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setVerifyHost(false)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authority.certificate())));
        if (user != null) {
            KeyAndCertificate pair = authority.issue(user);
            options.setKeyCertOptions(new PemKeyCertOptions()
                    .setCertValue(Buffer.buffer(pair.certificate()))
                    .setKeyValue(Buffer.buffer(pair.key())));
        }
        return vertx.createHttpClient(options);
    }

    private static Path write(String name, String content) throws Exception {
        return Files.writeString(folder.resolve(name), content);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return Objects.requireNonNull(
                future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS));
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        watcher.close();
        bed.close();
    }

    private static Reply send(HttpClient from, @Nullable String token, Buffer body) throws Exception {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost("127.0.0.1")
                .setPort(server.port())
                .setURI(ExternalUpgradeServer.PATH)
                .putHeader("Content-Type", "application/json");
        if (token != null) {
            options.putHeader("Authorization", "Bearer " + token);
        }
        return await(from.request(options)
                .compose(request -> request.send(body))
                .compose(response -> response.body()
                        .map(content -> new Reply(
                                response.statusCode(), Objects.requireNonNull(KubeObject.parse(content.toString()))))));
    }

    private static Reply ask(String content) throws Exception {
        return send(client, null, body("default", content));
    }

    private static Buffer body(String namespace, String content) {
        return Buffer.buffer("""
            {'apiVersion': 'flotilla.dev/v1alpha1', 'kind': 'ExternalUpgradeRequest',
             'cluster': {'namespace': '%s', 'name': 'ext'}, %s}\
            """.formatted(namespace, content).replace('\'', '"'));
    }

    private static void pool(String name, String provider) {
        bed.cluster("ext");
        bed.applyOwner("machinedeployments", name, "ext", 1, "");
        bed.applyMachine(
                name + "-0",
                "ext",
                ", labels: {flotilla.dev/provider: " + provider + ", cluster.x-k8s.io/deployment-name: " + name + "}");
    }

    private static String to(String pool, String version) {
        return "'owner': {'apiGroup': 'cluster.x-k8s.io', 'kind': 'MachineDeployment', 'name': '%s'}, 'newSpec': {'version': '%s'}"
                .formatted(pool, version);
    }

    @Test
    void createsTheTaskOnceAndAbortsItForAnotherVersion() throws Exception {
        pool("once", "node-upgrade");
        Reply first = ask(to("once", "v1.34.1") + ", 'ttlSecondsAfterFinished': 600");
        assertThat(first.text("decision")).isEqualTo("Accept");
        String name = first.text("task");
        KubeObject task = Objects.requireNonNull(tasks.read(name));
        assertThat(task.text("spec", "target", "version")).isEqualTo("v1.34.1");
        assertThat(task.number("spec", "ttlSecondsAfterFinished")).isEqualTo(600);
        assertThat(task.annotation("flotilla.dev/requested-by")).isEqualTo("controller");
        assertThat(ask(to("once", "v1.34.1")).text("task")).isEqualTo(name);

        Reply dry = ask(to("once", "v1.34.2") + ", 'dryRun': true");
        assertThat(dry.body().texts("aborted")).containsExactly(name);
        assertThat(tasks.read(dry.text("task"))).isNull();
        assertThat(Objects.requireNonNull(tasks.read(name)).text("spec", "phase"))
                .isEqualTo("Ongoing");

        Reply second = ask(to("once", "v1.34.2"));
        assertThat(second.text("task")).isEqualTo(dry.text("task")).isNotEqualTo(name);
        assertThat(second.body().texts("aborted")).containsExactly(name);
        assertThat(Objects.requireNonNull(tasks.read(name)).text("spec", "phase"))
                .isEqualTo("Abort");
        assertThat(tasks.read(second.text("task"))).isNotNull();
    }

    @Test
    void declinesWhatTheProviderCannotApply() throws Exception {
        pool("canonical", "k8sd");
        Reply reply = ask(to("canonical", "v1.34.1"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text("decision")).isEqualTo("Decline");
        assertThat(reply.text("reason")).isEqualTo("ProviderCannotApply");
    }

    @Test
    void knowsServiceAccountsByTheirToken() throws Exception {
        pool("tokens", "node-upgrade");
        String token = createToken("asker");
        try (HttpClientCloser anonymous = new HttpClientCloser(open(null))) {
            bed.await("the role", () -> status(anonymous.client(), token) == 200);
            Reply reply = send(anonymous.client(), token, body("default", to("tokens", "v1.34.1")));
            assertThat(reply.text("decision")).isEqualTo("Accept");
            assertThat(Objects.requireNonNull(tasks.read(reply.text("task"))).annotation("flotilla.dev/requested-by"))
                    .isEqualTo("system:serviceaccount:default:asker");
            Reply other = send(anonymous.client(), createToken("stranger"), body("default", to("tokens", "v1.34.1")));
            assertThat(other.status()).isEqualTo(403);
            assertThat(other.text("error", "message"))
                    .isEqualTo(
                            "User system:serviceaccount:default:stranger must not create upgradetasks.flotilla.dev in"
                                    + " namespace default.");
            assertThat(send(anonymous.client(), "made-up", body("default", to("tokens", "v1.34.1")))
                            .status())
                    .isEqualTo(401);
            assertThat(send(anonymous.client(), null, body("default", to("tokens", "v1.34.1")))
                            .status())
                    .isEqualTo(401);
        }
    }

    private static int status(HttpClient from, String token) {
        try {
            return send(from, token, body("default", to("tokens", "v1.34.1") + ", 'dryRun': true"))
                    .status();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private record HttpClientCloser(HttpClient client) implements AutoCloseable {
        @Override
        public void close() {
            client.close();
        }
    }

    private static String createToken(String account) {
        bed.adminClient.createObject(
                SERVICE_ACCOUNTS,
                SampleObjects.kube("{'apiVersion': 'v1', 'kind': 'ServiceAccount', 'metadata': {'name': '" + account
                                + "'}}")
                        .json());
        KubeResponse response = bed.adminClient.createObject(
                SERVICE_ACCOUNTS + "/" + account + "/token",
                SampleObjects.kube("{'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {}}")
                        .json());
        assertThat(response).as(response.problem()).isInstanceOf(KubeResponse.SuccessResponse.class);
        return Objects.requireNonNull(
                ((KubeResponse.SuccessResponse) response).object().text("status", "token"));
    }

    @Test
    void mayOnlyDoWhereItMayCreateTasks() throws Exception {
        Reply reply = send(client, null, body("kube-system", to("x", "v1.34.1")));
        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text("error", "hint")).contains("flotilla-upgrade-requester");
    }

    @Test
    void whoMayOnlyCreateTasksAbortsNone() throws Exception {
        pool("kept", "node-upgrade");
        String name = ask(to("kept", "v1.34.1")).text("task");
        bed.cluster.apply(ROLES + "namespaces/default/roles/creator", """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: creator, namespace: default}
            rules: [{apiGroups: [flotilla.dev], resources: [upgradetasks], verbs: [create]}]
            """);
        bed.cluster.apply(ROLES + "namespaces/default/rolebindings/creator", """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: creator, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: creator}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: creator}]
            """);
        pool("created", "node-upgrade");
        try (HttpClientCloser creator = new HttpClientCloser(open("creator"))) {
            bed.await("the role", () -> {
                try {
                    return send(creator.client(), null, body("default", to("created", "v1.34.1")))
                                    .status()
                            == 200;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            Reply reply = send(creator.client(), null, body("default", to("kept", "v1.34.2")));
            assertThat(reply.status()).isEqualTo(403);
            assertThat(reply.text("error", "message")).contains("must not patch upgradetasks.flotilla.dev");
        }
        assertThat(Objects.requireNonNull(tasks.read(name)).text("spec", "phase"))
                .isEqualTo("Ongoing");
    }

    @Test
    void clientsThatSendNoBodyPreventNoOther() throws Exception {
        pool("slow", "node-upgrade");
        HttpClient anonymous = vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setVerifyHost(false)
                        .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(authority.certificate()))),
                new PoolOptions().setHttp1MaxSize(40));
        try (HttpClientCloser closer = new HttpClientCloser(anonymous)) {
            for (int i = 0; i < 20; i++) {
                RequestOptions options = new RequestOptions()
                        .setMethod(HttpMethod.POST)
                        .setHost("127.0.0.1")
                        .setPort(server.port())
                        .setURI(ExternalUpgradeServer.PATH)
                        .putHeader("Content-Type", "application/json")
                        .putHeader("Content-Length", "1000");
                await(closer.client()
                        .request(options)
                        .compose(request -> request.write(Buffer.buffer("{")).map(request)));
            }
            assertThat(ask(to("slow", "v1.34.1")).status()).isEqualTo(200);
        }
    }

    @Test
    void refusesWhatIsNoRequest() throws Exception {
        assertThat(send(client, null, Buffer.buffer("not json")).text("error", "code"))
                .isEqualTo("unreadable");
        Reply unknown = ask(to("x", "v1.34.1") + ", 'machine': 'x'");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.text("error", "message")).startsWith("machine: ");
        char[] long1 = new char[1024 * 1024];
        Arrays.fill(long1, ' ');
        assertThat(send(client, null, Buffer.buffer("{" + new String(long1) + "}"))
                        .status())
                .isEqualTo(413);
    }
}
