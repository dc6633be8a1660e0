package dev.flotilla.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.FlotillaCommandLine;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** {@code flotilla cluster-api-extension uninstall} against a real API server: what it prints, what it removes, and its exit codes. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ExtensionUninstallCommandIT {
    private static final String CONFIGS = "/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/flotilla/deployments";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static KubeCluster cluster;
    private static KubeApiClient admin;

    /** A command that runs, with what it has printed so far. */
    private record RunningCommand(CompletableFuture<Integer> exit, StringWriter out, StringWriter err) {
        int awaitExit() throws Exception {
            return exit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        admin = KubeApiClient.open(cluster.kubeconfig(), Duration.ofSeconds(10), 1, System::nanoTime);
        cluster.apply(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/extensionconfigs.runtime.cluster.x-k8s.io",
                """
            {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
             metadata: {name: extensionconfigs.runtime.cluster.x-k8s.io},
             spec: {group: runtime.cluster.x-k8s.io, scope: Cluster,
               names: {kind: ExtensionConfig, listKind: ExtensionConfigList, plural: extensionconfigs, singular: extensionconfig},
               versions: [{name: v1beta2, served: true, storage: true,
                 schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}""");
        cluster.awaitServed(CONFIGS);
        for (String namespace : List.of("fleet", "other", "flotilla")) {
            cluster.apply(
                    "/api/v1/namespaces/" + namespace,
                    "{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
        }
    }

    @AfterAll
    static void stop() {
        admin.close();
        cluster.close();
    }

    @BeforeEach
    void install() {
        cluster.apply(CONFIGS + "/flotilla", """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig, metadata: {name: flotilla},
             spec: {clientConfig: {service: {namespace: flotilla, name: flotilla-cluster-api-extension}},
               namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: fleet}}}}""");
        cluster.apply(CONFIGS + "/vendor", """
            {apiVersion: runtime.cluster.x-k8s.io/v1beta2, kind: ExtensionConfig, metadata: {name: vendor},
             spec: {clientConfig: {service: {namespace: vendor, name: updater}}}}""");
        cluster.apply(DEPLOYMENTS + "/flotilla-cluster-api-extension", """
            {apiVersion: apps/v1, kind: Deployment, metadata: {name: flotilla-cluster-api-extension, namespace: flotilla},
             spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},
               spec: {containers: [{name: c, image: i}]}}}}""");
        park("fleet", "w-0", true);
        park("fleet", "w-1", false);
        park("other", "w-2", true);
    }

    private static String machine(String namespace, String name) {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + namespace + "/machines/" + name;
    }

    /** Creates a Machine that is, or is not, in the middle of an update. */
    private static void park(String namespace, String name, boolean updating) {
        cluster.apply(machine(namespace, name), """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: %s, namespace: %s, annotations: {%s}},
             spec: {clusterName: blue, bootstrap: {dataSecretName: x},
               infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: M, name: m}}}""".formatted(
                name, namespace, updating ? "in-place-updates.internal.cluster.x-k8s.io/update-in-progress: ''" : ""));
    }

    private static RunningCommand run(String... options) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err, true), 120, false, false, null);
        String[] args = Stream.concat(Stream.of("cluster-api-extension", "uninstall"), Stream.of(options))
                .toArray(String[]::new);
        return new RunningCommand(
                CompletableFuture.supplyAsync(() -> FlotillaCommandLine.run(terminal, args)), out, err);
    }

    private static RunningCommand uninstall(String... options) {
        return run(Stream.concat(Stream.of("--kubeconfig", cluster.kubeconfig().toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private static List<String> names(String path) {
        KubeResponse read = admin.get(path);
        assertThat(read).isInstanceOf(KubeResponse.SuccessResponse.class);
        return ((KubeResponse.SuccessResponse) read)
                .object().list("items").stream().map(KubeObject::name).toList();
    }

    private static void assertNothingIsRemoved() {
        assertThat(names(CONFIGS)).contains("flotilla");
        assertThat(names(DEPLOYMENTS)).containsExactly("flotilla-cluster-api-extension");
    }

    @Test
    void removesNothingWhileAMachineOfItsNamespacesIsUpdated() throws Exception {
        RunningCommand command = uninstall();
        assertThat(command.awaitExit()).isEqualTo(ExitCode.NO);
        assertThat(command.err().toString())
                .contains("Cluster API updates 1 Machine in place: fleet/w-0: nothing was removed; use --wait")
                .doesNotContain("other/");
        assertNothingIsRemoved();
    }

    @Test
    void waitEndsAfterItsTimeoutAndRemovesNothing() throws Exception {
        RunningCommand command = uninstall("--wait", "--timeout", "1");
        assertThat(command.awaitExit()).isEqualTo(ExitCode.NO);
        assertThat(command.err().toString())
                .contains("Waiting: Cluster API updates 1 Machine in place: fleet/w-0")
                .contains("fleet/w-0 after 1 s: nothing was removed; their UpgradeTasks say what they wait for");
        assertNothingIsRemoved();
    }

    @Test
    void waitsForTheLastUpdateAndRemovesTheRegistrationAndTheDeployment() throws Exception {
        RunningCommand command = uninstall("--wait");
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!command.err().toString().contains("Waiting: Cluster API updates 1 Machine in place: fleet/w-0")) {
            assertThat(System.nanoTime()).as(command.err().toString()).isLessThan(end);
            assertThat(command.exit()).isNotDone();
        }
        assertNothingIsRemoved();

        cluster.merge(
                machine("fleet", "w-0"),
                "{\"metadata\":{\"annotations\":{\"in-place-updates.internal.cluster.x-k8s.io/update-in-progress\":null}}}");
        assertThat(command.awaitExit()).isEqualTo(ExitCode.DONE);
        assertThat(command.out().toString().strip())
                .isEqualTo("Removed ExtensionConfig flotilla, Deployment flotilla/flotilla-cluster-api-extension.");
        assertThat(names(CONFIGS)).containsExactly("vendor");
        assertThat(names(DEPLOYMENTS)).isEmpty();

        RunningCommand again = uninstall();
        assertThat(again.awaitExit()).isEqualTo(ExitCode.DONE);
        assertThat(again.out().toString().strip()).isEqualTo("Nothing is installed.");
    }

    @Test
    void missingKubeconfigIsAUsageErrorAndNoAnswerIsNot() throws Exception {
        RunningCommand missing =
                run("--kubeconfig", Path.of("no", "such", "file").toString());
        assertThat(missing.awaitExit()).isEqualTo(ExitCode.USAGE);
        assertThat(run().awaitExit()).isEqualTo(ExitCode.USAGE);
        cluster.kill();
        RunningCommand away = uninstall("--wait");
        assertThat(away.awaitExit()).as("it does not wait for an API server").isEqualTo(ExitCode.NO);
        cluster.restart();
        cluster.awaitServed(CONFIGS);
        assertNothingIsRemoved();
    }
}
