package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;

/**
 * Applies the manifests of {@code deploy/} to a real API server without warnings, and checks that the restricted
 * namespace admits the pods.
 */
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class DeployManifestsIT {
    private static KubeCluster cluster;
    private static StrictKubectl kubectl;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        kubectl = new StrictKubectl(cluster, folder);
        cluster.apply(
                "/api/v1/namespaces/fleet",
                "{apiVersion: v1, kind: Namespace, metadata: {name: fleet, labels: {flotilla.dev/image-tags: allowed}}}");
        CliResult said = kubectl.run("apply", "--server-side", "-f", "deploy/namespace.yaml");
        assertThat(said.exit()).as(said.all()).isZero();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** Other objects are of the kinds that these define. */
    private static void installCustomResources() throws Exception {
        CliResult applied =
                kubectl.run("apply", "--server-side", "-f", "deploy/crds", "-f", StrictKubectl.FOREIGN_KINDS);
        assertThat(applied.exit()).as(applied.all()).isZero();
        CliResult established = kubectl.runAsIs(StrictKubectl.AWAIT_KINDS);
        assertThat(established.exit()).as(established.all()).isZero();
    }

    @Test
    void apiServerAcceptsEveryObjectWithoutAWarning() throws Exception {
        installCustomResources();
        List<DeployedObject> manifests = DeployedObject.all();
        List<String> arguments = new ArrayList<>(List.of("apply", "--server-side"));
        manifests.stream().map(DeployedObject::file).distinct().forEach(file -> {
            arguments.add("-f");
            arguments.add("deploy/" + file);
        });
        CliResult said = kubectl.run(arguments.toArray(String[]::new));
        assertThat(said.exit()).as(said.all()).isZero();
        assertThat(said.all().lines())
                .as(said.all())
                .allMatch(line -> line.endsWith(" serverside-applied"))
                .hasSameSizeAs(manifests)
                .hasSizeGreaterThan(30);
    }

    @Test
    void namespaceAdmitsItsPodsAndRejectsPrivilegedOnes() throws Exception {
        List<DeployedObject> deployments = DeployedObject.ofKind("Deployment");
        CliResult said = pods(deployments, Map.of());
        assertThat(said.exit()).as(said.all()).isZero();
        assertThat(said.all().lines()).hasSameSizeAs(deployments).hasSize(7);
        assertThat(pods(deployments, Map.of("hostNetwork", true)).all().lines())
                .as("on the network of their nodes")
                .hasSameSizeAs(deployments)
                .allMatch(line -> line.contains("violates PodSecurity \"restricted:latest\": host namespaces"));
    }

    /** Dry-runs a pod of each Deployment's template with additions to its spec. */
    private static CliResult pods(List<DeployedObject> deployments, Map<String, Object> more) throws Exception {
        List<Object> pods = new ArrayList<>();
        for (DeployedObject deployment : deployments) {
            Map<Object, Object> spec = new LinkedHashMap<>((Map<?, ?>) deployment.value("spec/template/spec"));
            spec.putAll(more);
            pods.add(Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Pod",
                    "metadata",
                    Map.of("name", deployment.at("metadata/name"), "namespace", deployment.at("metadata/namespace")),
                    "spec",
                    spec));
        }
        Dump dump = new Dump(DumpSettings.builder().setExplicitStart(true).build());
        Path file = Files.writeString(folder.resolve("pods.yaml"), dump.dumpAllToString(pods.iterator()));
        return kubectl.run("create", "--dry-run=server", "-f", file.toString());
    }
}
