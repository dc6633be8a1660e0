package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.mode.SiteModeSetting;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A watcher on a real Kubernetes in a container, with the manifests of {@code deploy/} and the service account that
 * they name. It needs Docker and runs only in the profile {@code containers}.
 */
@Tag("containers")
@EnabledIf(value = "dockerIsThere", disabledReason = "there is no Docker on this machine")
class K3sIT {
    private static final DockerImageName K3S = DockerImageName.parse("rancher/k3s:v1.34.1-k3s1");
    private static final Path RBAC = Path.of("../deploy/management-watcher/rbac.yaml");
    private static final String KEYS = "v1beta2.k8sd.io/in-place-upgrade-";
    private static final List<String> KINDS = List.of(
            "clusters.cluster.x-k8s.io",
            "machines.cluster.x-k8s.io",
            "machinesets.cluster.x-k8s.io",
            "machinedeployments.cluster.x-k8s.io",
            "machinepools.cluster.x-k8s.io",
            "ck8scontrolplanes.controlplane.cluster.x-k8s.io");

    @TempDir
    private Path folder;

    private LocalKafka kafka;
    private K3sContainer k3s;

    static boolean dockerIsThere() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        k3s = new K3sContainer(K3S);
        k3s.start();
        for (String kind : KINDS) {
            apply(resource(kind));
            kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd/" + kind);
        }
        kubectl("create", "namespace", "flotilla");
        kubectl("-n", "flotilla", "create", "serviceaccount", "flotilla-management-watcher");
        apply(Files.readString(RBAC));
    }

    @AfterEach
    void stop() {
        k3s.stop();
        kafka.close();
    }

    @Test
    void annotationBecomesAnIntentAndItsResultIsWrittenBack() throws Exception {
        apply("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: blue, namespace: default}
                spec: {paused: false}
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: blue-w-0, namespace: default}
                spec:
                  clusterName: blue
                  bootstrap: {dataSecretName: none}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: LXCMachine, name: blue-w-0}
                """);
        kubectl(
                "patch",
                "machine",
                "blue-w-0",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"nodeRef\":{\"name\":\"blue-w-0\"}}}");
        try (WatchedTestSite site = new WatchedTestSite(kafka.bootstrap(), "k3s", kubeconfig(), "default")) {
            site.withMode(SiteModeSetting.AUTO).startWatcher("a");
            MachineKey machine = site.machine("blue-w-0");
            site.await("its row", () -> site.readInventory(machine) instanceof MachineRow);
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            kubectl("annotate", "machine", "blue-w-0", KEYS + "to=revision=1100");
            UpgradeIntent intent = orchestrator.awaitIntent(machine);
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
            orchestrator.admitAttempt(machine, rolloutRef, intent.target());
            orchestrator.reportRefreshing(machine, rolloutRef, intent.target(), "42");
            site.await("the start", () -> annotation("change-id").equals("42"));
            orchestrator.reportSuccess(machine, rolloutRef);
            site.await("the end", () -> annotation("status").equals("done"));
            assertThat(annotation("release")).isEqualTo("revision=1100");
            assertThat(annotation("to")).isEmpty();
            assertThat(kubectl("get", "events", "-o", "jsonpath={.items[*].reason}"))
                    .contains("InPlaceUpgradeInProgress", "InPlaceUpgradeDone");
            assertThat(site.failedWrites).isEmpty();
            assertThat(site.failedReads).isEmpty();
        }
    }

    private String annotation(String name) {
        String path = (KEYS + name).replace(".", "\\.");
        return kubectl("get", "machine", "blue-w-0", "-o", "jsonpath={.metadata.annotations." + path + "}");
    }

    private void apply(String manifest) {
        k3s.copyFileToContainer(Transferable.of(manifest), "/tmp/manifest.yaml");
        kubectl("apply", "-f", "/tmp/manifest.yaml");
    }

    private String kubectl(String... arguments) {
        String[] command = new String[arguments.length + 1];
        command[0] = "kubectl";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        try {
            Container.ExecResult result = k3s.execInContainer(command);
            assertThat(result.getExitCode()).as(result.getStderr()).isZero();
            return result.getStdout().strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Writes a kubeconfig with the service account's token. */
    private Path kubeconfig() throws Exception {
        String administrators = k3s.getKubeConfigYaml();
        String token = kubectl("-n", "flotilla", "create", "token", "flotilla-management-watcher");
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: k3s
                contexts: [{name: k3s, context: {cluster: k3s, user: watcher}}]
                clusters: [{name: k3s, cluster: {server: "%s", certificate-authority-data: "%s"}}]
                users: [{name: watcher, user: {token: "%s"}}]
                """.formatted(
                findField(administrators, "server"), findField(administrators, "certificate-authority-data"), token));
    }

    private static String findField(String kubeconfig, String key) {
        Matcher found = Pattern.compile(key + ": \"?([^\"\\s]+)").matcher(kubeconfig);
        assertThat(found.find()).as(key).isTrue();
        return found.group(1);
    }

    private static String resource(String kind) throws Exception {
        try (InputStream in = KubeCluster.class.getResourceAsStream("crd/" + kind + ".yaml")) {
            return new String(Objects.requireNonNull(in, kind).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
