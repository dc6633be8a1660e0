package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    /** Makes warnings errors, for example of a deprecated version or of a pod with privileges. */
    private static final List<String> STRICT = List.of("--validate=strict", "--warnings-as-errors");

    private static KubeCluster cluster;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        cluster.apply(
                "/api/v1/namespaces/fleet",
                "{apiVersion: v1, kind: Namespace, metadata: {name: fleet, labels: {flotilla.dev/image-tags: allowed}}}");
        Said said = kubectl("apply", "--server-side", "-f", "deploy/namespace.yaml");
        assertThat(said.exit()).as(said.text()).isZero();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** Exit code and output of kubectl. */
    record Said(int exit, String text) {}

    /** Lets the API server know a kind that cert-manager or Cluster API brings, without its schema. */
    private static void installForeignKind(String plural, String group, String version, String kind, String scope) {
        cluster.apply("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + "." + group, """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: %1$s.%2$s}
                spec:
                  group: %2$s
                  names: {plural: %1$s, kind: %4$s}
                  scope: %5$s
                  versions:
                    - name: %3$s
                      served: true
                      storage: true
                      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """.formatted(
                        plural, group, version, kind, scope));
        cluster.awaitServed("/apis/" + group + "/" + version + "/" + plural);
    }

    /** Other objects are of the kinds that these define. */
    private static void installCustomResources() throws Exception {
        installForeignKind("certificates", "cert-manager.io", "v1", "Certificate", "Namespaced");
        installForeignKind("issuers", "cert-manager.io", "v1", "Issuer", "Namespaced");
        installForeignKind("extensionconfigs", "runtime.cluster.x-k8s.io", "v1beta2", "ExtensionConfig", "Cluster");
        Said applied = kubectl("apply", "--server-side", "-f", "deploy/crds");
        assertThat(applied.exit()).as(applied.text()).isZero();
        List<String> wait = new ArrayList<>(List.of("wait", "--for=condition=Established", "--timeout=60s"));
        DeployedObject.ofKind("CustomResourceDefinition")
                .forEach(each -> wait.add("customresourcedefinition/" + each.at("metadata/name")));
        Said established = run(wait);
        assertThat(established.exit()).as(established.text()).isZero();
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
        Said said = kubectl(arguments.toArray(String[]::new));
        assertThat(said.exit()).as(said.text()).isZero();
        assertThat(said.text().lines())
                .as(said.text())
                .allMatch(line -> line.endsWith(" serverside-applied"))
                .hasSameSizeAs(manifests)
                .hasSizeGreaterThan(30);
    }

    @Test
    void namespaceAdmitsItsPodsAndRejectsPrivilegedOnes() throws Exception {
        List<DeployedObject> deployments = DeployedObject.ofKind("Deployment");
        Said said = pods(deployments, Map.of());
        assertThat(said.exit()).as(said.text()).isZero();
        assertThat(said.text().lines()).hasSameSizeAs(deployments).hasSize(6);
        assertThat(pods(deployments, Map.of("hostNetwork", true)).text().lines())
                .as("on the network of their nodes")
                .hasSameSizeAs(deployments)
                .allMatch(line -> line.contains("violates PodSecurity \"restricted:latest\": host namespaces"));
    }

    /** Dry-runs a pod of each Deployment's template with additions to its spec. */
    private static Said pods(List<DeployedObject> deployments, Map<String, Object> more) throws Exception {
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
        return kubectl("create", "--dry-run=server", "-f", file.toString());
    }

    private static Said kubectl(String... arguments) throws IOException, InterruptedException {
        List<String> strict = new ArrayList<>(List.of(arguments));
        strict.addAll(STRICT);
        return run(strict);
    }

    private static Said run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(KubeBinaries.find().orElseThrow().kubectl().toString());
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(CliResult.ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", cluster.kubeconfig().toString());
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), said);
    }
}
