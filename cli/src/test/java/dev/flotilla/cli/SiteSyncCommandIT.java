package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.clusterapi.plan.ManifestText;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Runs {@code site sync} against a real API server as the management cluster, and another one as a workload cluster. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteSyncCommandIT {
    private static final String WORKER = "system:serviceaccount:flotilla:flotilla-node-worker";
    /** Has the role of deploy/site-sync and nothing else. */
    private static final String SYNC = "system:serviceaccount:flotilla:flotilla-site-sync";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final String IN_WORKLOAD_CLUSTERS = "flotilla:node-worker";

    private static KubeCluster management;
    private static KubeCluster workload;
    private static KubeApiClient managementClient;
    private static KubeApiClient workloadClient;

    @BeforeAll
    static void start() throws Exception {
        management = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        workload = KubeCluster.start(KubeOptions.apiServer());
        managementClient = UserKubeconfig.open(management.kubeconfig(), TIMEOUT, 1);
        workloadClient = UserKubeconfig.open(workload.kubeconfig(), TIMEOUT, 1);
        for (KubeObject object : ManifestText.read(
                        "site-sync.yaml", Files.readString(CliResult.ROOT.resolve("deploy/site-sync/site-sync.yaml")))
                .objects()) {
            String kind = Objects.requireNonNull(object.text("kind"));
            if (kind.startsWith("ClusterRole")) {
                assertThat(managementClient.createObject(
                                KubeApiPath.listPath(
                                        "rbac.authorization.k8s.io/v1", null, kind.toLowerCase(Locale.ROOT) + "s"),
                                object.json()))
                        .isInstanceOf(KubeResponse.SuccessResponse.class);
            }
        }
        for (String namespace : List.of("fleet", "edge", "kube-system")) {
            management.apply(
                    "/api/v1/namespaces/" + namespace,
                    "{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
        }
        workload.apply(
                "/api/v1/namespaces/kube-system", "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}");
    }

    @AfterAll
    static void stop() {
        managementClient.close();
        workloadClient.close();
        management.close();
        workload.close();
    }

    @Test
    void rolesFollowTheClustersThatComeAndGo() throws Exception {
        addCluster("fleet", "blue");
        addCluster("edge", "green");
        assertThat(sync().out()).contains("roles for 2 clusters are up to date", "roles in 2 of 2 are up to date");
        awaitGet(managementClient, WORKER, "fleet", "secrets", "blue-kubeconfig", true);
        awaitGet(managementClient, WORKER, "fleet", "secrets", "red-kubeconfig", false);
        awaitGet(managementClient, WORKER, "edge", "configmaps", "green-flotilla-pins", true);
        awaitGet(workloadClient, IN_WORKLOAD_CLUSTERS, "", "nodes", "any", true);
        management.merge("/api/v1/namespaces/fleet/configmaps/blue-flotilla-pins", "{\"data\": {\"w-1\": \"a pin\"}}");

        addCluster("fleet", "red");
        assertThat(sync().out()).contains("roles for 3 clusters are up to date");
        awaitGet(managementClient, WORKER, "fleet", "secrets", "red-kubeconfig", true);
        assertThat(managementClient.get("/api/v1/namespaces/fleet/configmaps/blue-flotilla-pins"))
                .as("pins stay")
                .isInstanceOfSatisfying(
                        KubeResponse.SuccessResponse.class,
                        pins -> assertThat(pins.object().text("data", "w-1")).isEqualTo("a pin"));

        management.delete("/apis/cluster.x-k8s.io/v1beta2/namespaces/edge/clusters/green");
        assertThat(sync().out())
                .contains("left of a cluster that is gone: Role edge/flotilla-node-worker (--prune deletes it)");
        awaitGet(managementClient, WORKER, "edge", "secrets", "green-kubeconfig", true);
        assertThat(sync("--prune").out())
                .contains(
                        "deleted Role edge/flotilla-node-worker",
                        "deleted RoleBinding edge/flotilla-node-worker",
                        "deleted ConfigMap edge/green-flotilla-pins");
        awaitGet(managementClient, WORKER, "edge", "secrets", "green-kubeconfig", false);
        assertThat(sync().out()).doesNotContain("gone");
    }

    @Test
    void namesTheClusterThatCannotBeReachedAndContinues() throws Exception {
        addCluster("fleet", "blue");
        management.apply("/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/clusters/dark", cluster("dark"));
        CliResult partly = run();
        management.delete("/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/clusters/dark");
        assertThat(partly.exit()).as(partly.all()).isEqualTo(ExitCode.NO);
        assertThat(partly.err()).contains("east/fleet/dark: Secret dark-kubeconfig cannot be read: 404");
        assertThat(partly.out()).contains("are up to date");
    }

    @Test
    void refusesWhatIsNoManagementCluster() {
        CliResult wrong = CliResult.flotilla(
                "site", "sync", "east", "--kubeconfig", workload.kubeconfig().toString());
        assertThat(wrong.exit()).as(wrong.all()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(wrong.err()).contains("has no kind Cluster of cluster.x-k8s.io: is this its kubeconfig?");
        CliResult options = CliResult.flotilla(
                "site", "sync", "East", "--node-upgrader", "--no-workload", "--service-account", "x");
        assertThat(options.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(options.err())
                .contains(
                        "\"East\" is not a site name",
                        "--service-account \"x\"",
                        "--no-workload none",
                        "site sync --help");
    }

    private static CliResult sync(String... options) {
        CliResult said = run(options);
        assertThat(said.exit()).as(said.all()).isEqualTo(ExitCode.DONE);
        return said;
    }

    private static CliResult run(String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "site",
                "sync",
                "east",
                "--kubeconfig",
                management.kubeconfig(SYNC).toString()));
        arguments.addAll(List.of(options));
        return CliResult.flotilla(arguments.toArray(String[]::new));
    }

    private static void addCluster(String namespace, String name) throws Exception {
        management.apply("/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/clusters/" + name, cluster(name));
        String kubeconfig = Base64.getEncoder()
                .encodeToString(Files.readString(workload.kubeconfig()).getBytes(StandardCharsets.UTF_8));
        management.apply("/api/v1/namespaces/" + namespace + "/secrets/" + name + "-kubeconfig", """
                apiVersion: v1
                kind: Secret
                metadata: {name: %s-kubeconfig}
                data: {value: %s}
                """.formatted(
                        name, kubeconfig));
    }

    private static String cluster(String name) {
        return "{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: " + name
                + "}, spec: {paused: false}}";
    }

    /** Waits for a permission, because an API server follows roles after a moment. */
    private static void awaitGet(
            KubeApiClient cluster, String user, String namespace, String resource, String name, boolean allowed) {
        KubeObject review = Objects.requireNonNull(KubeObject.parse("""
                {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": {"user": "%s",
                 "resourceAttributes": {"verb": "get", "namespace": "%s", "resource": "%s", "name": "%s"}}}""".formatted(user, namespace, resource, name)));
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            KubeResponse answer =
                    cluster.createObject("/apis/authorization.k8s.io/v1/subjectaccessreviews", review.json());
            if (answer instanceof KubeResponse.SuccessResponse reviewed
                    && reviewed.object().bool("status", "allowed") == allowed) {
                return;
            }
            assertThat(System.nanoTime())
                    .as("%s may get %s %s/%s: %s", user, resource, namespace, name, answer.problem())
                    .isLessThan(until);
        }
    }
}
