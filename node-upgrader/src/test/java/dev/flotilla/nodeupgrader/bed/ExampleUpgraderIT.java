package dev.flotilla.nodeupgrader.bed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The node upgrader of {@code examples/node-upgrader} on a real API server, with an agent that keeps its state in files. */
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class ExampleUpgraderIT {
    private static final String UPGRADES = "/apis/example.org/v1/namespaces/fleet/agentupgrades/";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final Path EXAMPLE = Path.of("../examples/node-upgrader");
    private static final int MAX_LINES = 150;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    private static Path folder;

    private static KubeCluster cluster;
    private static KubeApiClient admin;
    private static Path agent;
    private static Process upgrader;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        admin = new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(Files.readString(cluster.kubeconfig()))
                        .toClientConfig(null, TIMEOUT),
                4);
        cluster.apply("/api/v1/namespaces/fleet", "{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        String[] manifests =
                Files.readString(EXAMPLE.resolve("agent-upgrades.yaml")).split("---\n", -1);
        cluster.apply(DEFINITIONS + "agentupgrades.example.org", manifests[0]);
        cluster.apply(DEFINITIONS + "agentupgradetemplates.example.org", manifests[1]);
        cluster.apply("/apis/rbac.authorization.k8s.io/v1/clusterroles/agent-upgrade-worker", manifests[2]);
        agent = Files.writeString(folder.resolve("agent"), """
                #!/bin/sh
                state=%s/$2
                case $1 in
                  start) echo started >>$state.starts; [ -f $state ] || echo running kubelet >$state ;;
                  stop) [ ! -f $state ] || echo stopped kubelet >$state ;;
                  look) cat $state 2>/dev/null || echo none ;;
                esac
                """.formatted(folder));
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        startUpgrader();
    }

    private static void startUpgrader() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        "python3", EXAMPLE.resolve("agent_upgrader.py").toString(), "fleet", agent.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("upgrader.log").toFile());
        builder.environment().put("KUBECONFIG", cluster.kubeconfig().toString());
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("PATH", KubeBinaries.find().orElseThrow().folder() + ":" + System.getenv("PATH"));
        upgrader = builder.start();
    }

    @AfterAll
    static void stop() throws Exception {
        upgrader.destroyForcibly().waitFor();
        admin.close();
        cluster.close();
    }

    private static void create(String name, String target, String more) {
        cluster.apply(UPGRADES + name, """
                {apiVersion: example.org/v1, kind: AgentUpgrade, metadata: {name: %s, namespace: fleet},
                 spec: {clusterName: blue, machine: {name: w-1, uid: u}, node: w-1, role: worker, target: %s,
                   attemptId: 7, deadline: "2099-01-01T00:00:00Z", kubeconfigSecret: blue-kubeconfig%s}}""".formatted(name, target, more));
    }

    private static KubeObject await(String name, Predicate<KubeObject> expected) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            KubeObject seen = admin.get(UPGRADES + name) instanceof KubeResponse.SuccessResponse successResponse
                    ? successResponse.object()
                    : null;
            if (seen != null && expected.test(seen)) {
                return seen;
            }
            assertThat(System.nanoTime())
                    .as(seen + ": " + Files.readString(folder.resolve("upgrader.log")))
                    .isLessThan(end);
            boolean unused = new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
        }
    }

    private static KubeObject awaitPhase(String name, String phase) throws Exception {
        return await(name, seen -> phase.equals(seen.text("status", "phase")));
    }

    private static void agentSays(String name, String text) throws Exception {
        Files.writeString(folder.resolve(name), text + "\n");
    }

    @Test
    void isShort() throws Exception {
        assertThat(Files.readAllLines(EXAMPLE.resolve("agent_upgrader.py"))).hasSizeLessThan(MAX_LINES);
    }

    @Test
    void succeedsByWhatTheAgentSaysAlsoAfterAKill() throws Exception {
        create("succeeds", "version=v1.36.3", "");
        KubeObject running =
                await("succeeds", seen -> !seen.list("status", "steps").isEmpty());
        assertThat(running.text("status", "phase")).isEqualTo("Running");
        upgrader.destroyForcibly().waitFor();
        agentSays("succeeds", "succeeded v1.36.3");
        startUpgrader();
        assertThat(awaitPhase("succeeds", "Succeeded").text("status", "observedVersion"))
                .isEqualTo("v1.36.3");
        assertThat(Files.readAllLines(folder.resolve("succeeds.starts"))).hasSize(1);
    }

    @Test
    void exitCodeSaysWhetherItMayBeTriedAgain() throws Exception {
        agentSays("fails", "failed kubelet 10");
        create("fails", "version=v1.36.3", "");
        assertThat(awaitPhase("fails", "Failed").bool("status", "retryable")).isFalse();
        agentSays("flaps", "failed kubelet 7");
        create("flaps", "version=v1.36.3", "");
        assertThat(awaitPhase("flaps", "Failed").bool("status", "retryable")).isTrue();
    }

    @Test
    void abortStopsBetweenSteps() throws Exception {
        create("aborts", "version=v1.36.3", "");
        await("aborts", seen -> !seen.list("status", "steps").isEmpty());
        cluster.merge(UPGRADES + "aborts", "{\"spec\": {\"phase\": \"Abort\"}}");
        assertThat(awaitPhase("aborts", "Aborted").text("status", "failureMessage"))
                .isEqualTo("stopped before step kubelet");
    }

    @Test
    void deletionIsAnAbortAndTheObjectStaysUntilItsEnd() throws Exception {
        create("deleted", "version=v1.36.3", "");
        KubeObject running =
                await("deleted", seen -> !seen.list("status", "steps").isEmpty());
        assertThat(running.texts("metadata", "finalizers")).containsExactly("example.org/agent-upgrade");
        // Another finalizer shows what the upgrader has written last.
        cluster.merge(
                UPGRADES + "deleted",
                "{\"metadata\": {\"finalizers\": [\"example.org/agent-upgrade\", \"example.org/watcher\"]}}");
        cluster.delete(UPGRADES + "deleted");
        KubeObject ended =
                await("deleted", seen -> seen.texts("metadata", "finalizers").equals(List.of("example.org/watcher")));
        assertThat(ended.text("status", "phase")).isEqualTo("Aborted");
        assertThat(ended.text("status", "failureMessage")).isEqualTo("stopped before step kubelet");
        cluster.merge(UPGRADES + "deleted", "{\"metadata\": {\"finalizers\": null}}");
    }

    @Test
    void startsNothingThatItCannotApply() throws Exception {
        create("spec", "spec=sha256:" + "0".repeat(64), "");
        assertThat(awaitPhase("spec", "Failed").text("status", "failureReason")).isEqualTo("TargetNotSupported");
        assertThat(folder.resolve("spec.starts")).doesNotExist();
    }
}
