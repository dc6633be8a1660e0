package dev.flotilla.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A single real node, which the machine reaches as a client of Kubernetes does. */
@Tag("node")
@EnabledIf(value = KubeadmCluster.USABLE, disabledReason = KubeadmCluster.UNUSABLE)
class KubeadmClusterIT {
    private static final int TIMEOUT_SECONDS = 60;
    private static final int REBOOT_SECONDS = 180;
    private static final String NODE = "node1";

    private static KubeadmCluster cluster;
    private static KubernetesClient admin;

    @BeforeAll
    static void start() {
        cluster = KubeadmCluster.startSingleNode();
        admin = new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
                .build();
    }

    @AfterAll
    static void stop() {
        Path kubeconfig = cluster.kubeconfig();
        admin.close();
        cluster.close();
        assertThat(kubeconfig).doesNotExist();
    }

    @Test
    void nodeIsReadyInTheVersion() {
        assertThat(cluster.run(NODE, "kubectl", "get", "nodes", "--no-headers").split("\\s+"))
                .startsWith(NODE, "Ready", "control-plane")
                .contains(KubeadmCluster.FIRST_VERSION);
    }

    @Test
    void podRuns() {
        admin.resource(pod("hello", "echo hello from $(cat /etc/hostname)")).create();
        admin.pods()
                .inNamespace("default")
                .withName("hello")
                .waitUntilCondition(
                        pod -> pod != null && "Succeeded".equals(pod.getStatus().getPhase()),
                        TIMEOUT_SECONDS,
                        TimeUnit.SECONDS);

        assertThat(admin.pods().inNamespace("default").withName("hello").getLog())
                .isEqualTo("hello from hello\n");
    }

    @Test
    void killedKubeletStartsAgain() {
        String pid = cluster.run(NODE, "cat", "/run/units/kubelet.pid").strip();

        assertThat(cluster.killProcesses(NODE, "^kubelet ")).isTrue();

        await("[ -s /run/units/kubelet.pid ] && [ \"$(cat /run/units/kubelet.pid)\" != " + pid + " ]");
        assertThat(cluster.killProcesses(NODE, "^no such program$")).isFalse();
    }

    @Test
    void rebootedNodeIsReadyWithAnotherBootId() {
        String bootId =
                admin.nodes().withName(NODE).get().getStatus().getNodeInfo().getBootID();

        cluster.run(NODE, "systemctl", "reboot");

        // The client watches again when the API server is back.
        admin.nodes()
                .withName(NODE)
                .waitUntilCondition(
                        node -> node != null
                                && !bootId.equals(node.getStatus().getNodeInfo().getBootID())
                                && node.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Ready")
                                                        && condition.getStatus().equals("True")),
                        REBOOT_SECONDS,
                        TimeUnit.SECONDS);
    }

    @Test
    void failedCommandThrowsWithItsOutput() {
        assertThatThrownBy(() -> cluster.run(NODE, "ls", "/no-such-folder"))
                .hasMessageContainingAll("ls /no-such-folder", NODE, "exit code 2", "No such file or directory");
    }

    /** Waits in the node, whose API server may be away. */
    private static void await(String condition) {
        cluster.run(NODE, "sh", "-c", "until " + condition + "; do sleep 0.2; done");
    }

    private static Pod pod(String name, String script) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("main")
                .withImage(KubeadmCluster.BUSYBOX)
                .withImagePullPolicy("Never")
                .withCommand("sh", "-c", script)
                .endContainer()
                .endSpec()
                .build();
    }
}
