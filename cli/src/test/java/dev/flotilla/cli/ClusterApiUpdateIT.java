package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiManagers;
import dev.flotilla.testkit.clusterapi.InMemoryCluster;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The real managers of Cluster API update the machines of a cluster in place, through all of Flotilla: every Machine is kept. */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiUpdateIT {
    private static final String NAMESPACE = "default";
    private static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
    private static final String CONTROL_PLANE =
            "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmcontrolplanes/blue-control-plane";
    private static final String WORKERS =
            "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments/blue-workers";
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    @TempDir
    private Path folder;

    @Test
    void everyMachineKeepsItsNameAndUid() throws Exception {
        try (KubeCluster management = KubeCluster.start(KubeOptions.apiServer());
                ClusterApiManagers managers = ClusterApiManagers.start(management);
                KubeApiClient api =
                        KubeApiClient.open(management.kubeconfig(), Duration.ofSeconds(10), 2, System::nanoTime)) {
            management.apply(new InMemoryCluster(NAMESPACE, "blue", "v1.35.0", 3, 4).manifests());
            management.merge(
                    CONTROL_PLANE,
                    "{\"spec\":{\"rollout\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":0}}}}}");
            management.merge(
                    WORKERS,
                    "{\"spec\":{\"rollout\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxSurge\":0,\"maxUnavailable\":1}}}}}");
            int port = FreePorts.next();
            CertificateAuthority authority = CertificateAuthority.create("extension-ca");
            authority.issue("127.0.0.1").writeSeparateFiles(folder);
            try (FlotillaProcess all = FlotillaProcess.start(
                    Map.of(),
                    "all-in-one",
                    "--kubeconfig",
                    management.kubeconfig().toString(),
                    "--data",
                    folder.resolve("data").toString(),
                    "--upgrader",
                    "simulated",
                    "--extension-listen",
                    "127.0.0.1:" + port,
                    "--extension-cert",
                    file(".crt"),
                    "--extension-key",
                    file(".key"))) {
                assertThat(all.saysUpTo("ready; Ctrl-C ends it")).anyMatch(line -> line.contains("ready; Ctrl-C"));
                management.apply("/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/flotilla", """
                    {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig, metadata: {name: flotilla},
                     spec: {clientConfig: {url: 'https://127.0.0.1:%d', caBundle: %s},
                       namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [default]}]}}}""".formatted(
                        port,
                        Base64.getEncoder()
                                .encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII))));
                await("all machines", () -> upToDate(api, "v1.35.0") == 7);
                Map<String, String> before = uids(api);
                management.merge(CONTROL_PLANE, "{\"spec\":{\"version\":\"v1.35.2\"}}");
                management.merge(WORKERS, "{\"spec\":{\"template\":{\"spec\":{\"version\":\"v1.35.2\"}}}}");
                try {
                    await("the new version on all machines", () -> upToDate(api, "v1.35.2") == 7);
                } finally {
                    describe(api).forEach(System.out::println);
                }
                assertThat(uids(api)).isEqualTo(before);
            }
        }
    }

    private String file(String suffix) throws Exception {
        try (var files = Files.list(folder)) {
            return files.filter(each -> each.toString().endsWith(suffix))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private static long upToDate(KubeApiClient api, String version) {
        return machines(api).stream()
                .filter(machine -> machine.isCondition("UpToDate", "True")
                        && machine.isCondition("Ready", "True")
                        && version.equals(machine.text("status", "nodeInfo", "kubeletVersion")))
                .count();
    }

    private static Map<String, String> uids(KubeApiClient api) {
        Map<String, String> uids = new TreeMap<>();
        machines(api).forEach(machine -> uids.put(machine.name(), machine.uid()));
        return uids;
    }

    private static List<String> describe(KubeApiClient api) {
        List<String> lines = new ArrayList<>();
        machines(api).forEach(machine -> {
            KubeObject updating = machine.condition("Updating");
            lines.add(machine.name() + " " + machine.text("status", "nodeInfo", "kubeletVersion") + " "
                    + (updating == null ? "" : updating.text("status") + " " + updating.text("message")));
        });
        for (String kinds : List.of("upgradetasks", "nodeupgrades")) {
            if (api.get("/apis/flotilla.dev/v1alpha1/namespaces/default/" + kinds)
                    instanceof KubeResponse.SuccessResponse list) {
                list.object().list("items").forEach(task -> lines.add(
                        kinds + " " + task.name() + " " + KubeObject.toJsonText(task.object("spec").json()) + " "
                                + KubeObject.toJsonText(task.object("status").json())));
            }
        }
        return lines;
    }

    private static List<KubeObject> machines(KubeApiClient api) {
        return api.get(MACHINES) instanceof KubeResponse.SuccessResponse list
                ? list.object().list("items")
                : List.of();
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited too long for " + what);
            }
        }
    }
}
