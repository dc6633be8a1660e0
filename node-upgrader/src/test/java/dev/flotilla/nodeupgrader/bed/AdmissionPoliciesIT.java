package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admission policies of {@code deploy/node-upgrader} on a real API server. All users have all permissions otherwise. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class AdmissionPoliciesIT {
    private static final String UPGRADES = "/api/v1/namespaces/flotilla-node-upgrades/";
    private static final String ADMIN = "admin";
    private static final String UPGRADER = "system:serviceaccount:flotilla-node-upgrades:flotilla-node-upgrader";
    private static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";
    private static final String DIGEST = "example.org/tools:1@sha256:" + "0123456789abcdef".repeat(4);
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
    private static final String POD = """
            {apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: flotilla-node-upgrades},
             spec: {automountServiceAccountToken: false, containers: [{name: c, image: i}]}}""";

    private static KubeCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        UpgradeObjects.install(cluster);
        for (String namespace : new String[] {"flotilla-node-upgrades", "lab"}) {
            cluster.apply("/api/v1/namespaces/" + namespace, """
                    {apiVersion: v1, kind: Namespace, metadata: {name: %s, labels: {flotilla.dev/image-tags: allowed}}}""".formatted(namespace));
        }
        cluster.apply(UPGRADES + "serviceaccounts/default", """
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: flotilla-node-upgrades}}""");
        cluster.apply(UPGRADES + "serviceaccounts/flotilla-node-upgrader", """
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: flotilla-node-upgrader, namespace: flotilla-node-upgrades}}""");
        cluster.apply(UPGRADES + "pods/before", POD.formatted("before"));
        install("workload", "flotilla-node-upgrades");
        install("management", "flotilla-plan-images");
        await(() -> create(ADMIN, UPGRADES + "pods", POD.formatted("probe")) != 201);
        await(() -> createPlan("fleet", "example.org/tools:1") != 201);
    }

    private static void install(String where, String name) {
        String[] manifests = UpgradeObjects.read("node-upgrader/admission-" + where + ".yaml")
                .split("---\n", -1);
        cluster.apply(ADMISSION + "validatingadmissionpolicies/" + name, manifests[0]);
        cluster.apply(ADMISSION + "validatingadmissionpolicybindings/" + name, manifests[1]);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** An API server needs a moment until it evaluates a new policy. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
            boolean unused = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static KubeApiClient client(String user) throws Exception {
        Path kubeconfig = user.equals(ADMIN)
                ? cluster.kubeconfig()
                : cluster.kubeconfig(
                        user,
                        "system:masters",
                        user.startsWith("system:serviceaccount:kube-system:")
                                ? "system:serviceaccounts:kube-system"
                                : "system:serviceaccounts");
        return new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(kubeconfig))
                        .toClientConfig(null, Duration.ofSeconds(20)),
                1);
    }

    private static JsonObjectReader parse(String yaml) {
        return YamlReader.read(yaml, DocumentLimits.SPECIFICATION_BYTES) instanceof ParseResult.ParsedDocument document
                        && document.value() instanceof JsonObjectReader json
                ? json
                : new JsonObjectReader.Builder().build();
    }

    private static KubeResponse send(String user, String path, String yaml) {
        try (KubeApiClient client = client(user)) {
            return client.createObject(path + "?dryRun=All", parse(yaml));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the status that the API server answers with. */
    private static int create(String user, String path, String yaml) {
        return statusOf(send(user, path, yaml));
    }

    private static int statusOf(KubeResponse response) {
        return response instanceof KubeResponse.ErrorResponse errorResponse
                ? errorResponse.status()
                : response instanceof KubeResponse.SuccessResponse ? 201 : 0;
    }

    private static int createPlan(String namespace, String image) {
        return create(
                ADMIN,
                "/apis/flotilla.dev/v1alpha1/namespaces/" + namespace + "/upgradeplans",
                UpgradeObjects.plan("p", "[{name: one, image: '%s', command: [x]}]".formatted(image))
                        .replace("namespace: fleet", "namespace: " + namespace));
    }

    @ParameterizedTest
    @CsvSource({
        "admin, 422",
        "system:serviceaccount:flotilla-node-upgrades:default, 422",
        "system:node:w-1, 422",
        "system:serviceaccount:flotilla-node-upgrades:flotilla-node-upgrader, 201",
        "system:serviceaccount:kube-system:job-controller, 201",
        "system:kube-controller-manager, 201"
    })
    void onlyTheUpgraderAndControllersCreatePods(String user, int status) {
        KubeResponse response = send(user, UPGRADES + "pods", POD.formatted("one"));
        assertThat(statusOf(response)).as(response.problem()).isEqualTo(status);
        if (status != 201) {
            assertThat(response.problem()).contains("only flotilla node-upgrader", user);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ADMIN, JOB_CONTROLLER})
    void onlyTheUpgraderCreatesJobs(String user) {
        String job = """
                {apiVersion: batch/v1, kind: Job, metadata: {name: one, namespace: flotilla-node-upgrades},
                 spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}""";
        assertThat(create(user, UpgraderTestBed.JOBS, job)).isEqualTo(422);
        assertThat(create(UPGRADER, UpgraderTestBed.JOBS, job)).isEqualTo(201);
    }

    @Test
    void nobodyChangesAPodOrRunsAProgramInOne() throws Exception {
        try (KubeApiClient admin = client(ADMIN);
                KubeApiClient controller = client(JOB_CONTROLLER)) {
            String pod = UPGRADES + "pods/before";
            JsonObjectReader label = parse("{metadata: {labels: {a: b}}}");
            assertThat(statusOf(admin.mergePatch(pod, label))).isEqualTo(422);
            assertThat(statusOf(admin.createObject(pod + "/exec?command=sh&container=c", parse("{}"))))
                    .isEqualTo(422);
            assertThat(statusOf(controller.mergePatch(pod, label)))
                    .as("a controller removes finalizers")
                    .isEqualTo(201);
        }
    }

    @Test
    void nobodyElseGetsATokenOfTheUpgrader() {
        String token = "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {}}";
        String path = UPGRADES + "serviceaccounts/flotilla-node-upgrader/token";
        assertThat(create(ADMIN, path, token)).isEqualTo(422);
        assertThat(create("flotilla:node-upgrader", path, token)).isEqualTo(201);
        String secret = """
                {apiVersion: v1, kind: Secret, type: %s, metadata: {name: s, namespace: flotilla-node-upgrades,
                 annotations: {kubernetes.io/service-account.name: flotilla-node-upgrader}}}""";
        assertThat(create(ADMIN, UPGRADES + "secrets", secret.formatted("kubernetes.io/service-account-token")))
                .isEqualTo(422);
        assertThat(create(ADMIN, UPGRADES + "secrets", secret.formatted("Opaque")))
                .isEqualTo(201);
    }

    @Test
    void otherNamespacesAreNotConcerned() {
        assertThat(create(
                        ADMIN,
                        "/api/v1/namespaces/fleet/pods",
                        POD.formatted("one").replace("flotilla-node-upgrades", "fleet")))
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({"fleet, 422", "lab, 201"})
    void planNamesImagesByDigestUnlessItsNamespaceAllowsTags(String namespace, int status) {
        assertThat(createPlan(namespace, "example.org/tools:1")).isEqualTo(status);
        assertThat(createPlan(namespace, DIGEST)).isEqualTo(201);
    }
}
