package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Checks that the manifests of {@code deploy/} grant and request no more than necessary. */
class DeployManifestsTest {
    private static final String POD = "spec/template/spec/";

    static List<DeployedObject> deployments() {
        return DeployedObject.ofKind("Deployment");
    }

    @Test
    void allComponentsAreDeployed() {
        assertThat(deployments().stream().map(each -> each.at("metadata/name")))
                .containsExactlyInAnyOrder(
                        "flotilla-orchestrator",
                        "flotilla-auditor",
                        "flotilla-management-watcher",
                        "flotilla-node-worker",
                        "flotilla-node-upgrader",
                        "flotilla-cluster-api-extension",
                        "flotilla-campaign-controller");
    }

    /** The version of the POM, which images have as their tag. */
    static String version() {
        try {
            Matcher version = Pattern.compile("^  <version>(.*)</version>$", Pattern.MULTILINE)
                    .matcher(Files.readString(CliResult.ROOT.resolve("pom.xml")));
            assertThat(version.find()).isTrue();
            return version.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void runsTheImageOfItsRoleInTheVersionThatIsBuilt(DeployedObject deployment) {
        // The campaign controller is one of the few processes in a fleet that need no small image of their own.
        String image = deployment.at("metadata/name").replace("flotilla-campaign-controller", "flotilla-cli");
        assertThat(deployment.at(POD + "containers/0/image")).isEqualTo(image + ":" + version());
    }

    /** The charts' default for the tags of images. */
    @ParameterizedTest
    @ValueSource(strings = {"flotilla-crds", "flotilla-fleet", "flotilla-site"})
    void chartHasTheVersionThatIsBuilt(String chart) throws IOException {
        assertThat(Files.readAllLines(DeployedObject.FOLDER.resolve("charts/" + chart + "/Chart.yaml")))
                .contains("appVersion: " + version());
    }

    /** A management cluster may be one of its own workload clusters; then it has the objects of both. */
    @Test
    void objectsOfWorkloadClustersReplaceNoneOfManagementClusters() {
        Map<Boolean, List<String>> ids = DeployedObject.all().stream()
                .collect(Collectors.partitioningBy(
                        each -> each.file().endsWith("-workload.yaml"),
                        Collectors.mapping(DeployedObject::id, Collectors.toList())));
        assertThat(ids.get(true)).hasSizeGreaterThan(10).doesNotContainAnyElementsOf(ids.get(false));
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void runsWithoutPrivileges(DeployedObject deployment) {
        assertThat(deployment.at(POD + "securityContext/runAsNonRoot")).isEqualTo("true");
        assertThat(deployment.at(POD + "securityContext/seccompProfile/type")).isEqualTo("RuntimeDefault");
        String container = POD + "containers/0/securityContext/";
        assertThat(deployment.at(container + "readOnlyRootFilesystem")).isEqualTo("true");
        assertThat(deployment.at(container + "allowPrivilegeEscalation")).isEqualTo("false");
        assertThat(deployment.at(container + "capabilities")).isEqualTo("{drop=[ALL]}");
        for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
            assertThat(deployment.at(POD + shared)).as(shared).isEqualTo("null");
        }
        assertThat(deployment.at(POD + "volumes")).doesNotContain("hostPath");
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void hasResourceLimitsAndProbes(DeployedObject deployment) {
        String container = POD + "containers/0/";
        assertThat(deployment.at(container + "resources/limits/memory"))
                .isEqualTo(deployment.at(container + "resources/requests/memory"))
                .isNotEqualTo("null");
        assertThat(deployment.at(container + "livenessProbe/httpGet/path")).isEqualTo("/healthz");
        assertThat(deployment.at(container + "readinessProbe/httpGet/path")).startsWith("/");
        for (String probe : List.of("livenessProbe", "readinessProbe")) {
            assertThat(deployment.at(container + probe + "/httpGet/scheme"))
                    .as(probe)
                    .isEqualTo("HTTPS");
        }
        assertThat(deployment.at(POD + "volumes")).contains("sizeLimit");
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void mountsAServiceAccountTokenOnlyIfItUsesTheApiServer(DeployedObject deployment) {
        boolean usesApiServer = deployment.file().startsWith("management-watcher")
                || deployment.file().startsWith("node-worker")
                || deployment.file().startsWith("node-upgrader")
                || deployment.file().startsWith("cluster-api")
                || deployment.file().startsWith("campaign-controller");
        assertThat(deployment.at(POD + "automountServiceAccountToken")).isEqualTo(Boolean.toString(usesApiServer));
        assertThat(DeployedObject.ofKind("ServiceAccount"))
                .filteredOn(account -> account.at("metadata/name").equals(deployment.at(POD + "serviceAccountName")))
                .filteredOn(account -> account.at("metadata/namespace").equals(deployment.at("metadata/namespace")))
                .singleElement()
                .satisfies(account ->
                        assertThat(account.at("automountServiceAccountToken")).isEqualTo("false"));
    }

    @ParameterizedTest
    @MethodSource("deployments")
    void hasANetworkPolicyForItsTraffic(DeployedObject deployment) {
        assertThat(DeployedObject.ofKind("NetworkPolicy"))
                .filteredOn(policy -> policy.file().equals(deployment.file()))
                .filteredOn(policy ->
                        policy.at("spec/podSelector/matchLabels").equals(deployment.at("spec/selector/matchLabels")))
                .singleElement()
                .satisfies(policy -> {
                    assertThat(policy.at("spec/policyTypes")).isEqualTo("[Ingress, Egress]");
                    assertThat(policy.at("spec/ingress/0/ports/0/port"))
                            .isEqualTo(deployment.at(POD + "containers/0/ports/0/containerPort"));
                });
    }

    @Test
    void namespaceRestrictsPodsAndDeniesTrafficByDefault() {
        assertThat(DeployedObject.ofKind("Namespace"))
                .filteredOn(namespace -> namespace.at("metadata/name").equals("flotilla"))
                .singleElement()
                .satisfies(namespace -> assertThat(namespace.at("metadata/labels"))
                        .contains("pod-security.kubernetes.io/enforce=restricted"));
        assertThat(DeployedObject.ofKind("NetworkPolicy"))
                .filteredOn(policy -> policy.at("metadata/name").equals("default-deny"))
                .singleElement()
                .satisfies(policy -> {
                    assertThat(policy.at("spec/podSelector")).isEqualTo("{}");
                    assertThat(policy.at("spec/policyTypes")).isEqualTo("[Ingress, Egress]");
                    assertThat(policy.at("spec/egress")).isEqualTo("null");
                });
    }

    @Test
    void rolesUseNoWildcards() {
        List<DeployedObject> roles = Stream.concat(
                        DeployedObject.ofKind("Role").stream(), DeployedObject.ofKind("ClusterRole").stream())
                .toList();
        assertThat(roles)
                .isNotEmpty()
                .allSatisfy(role -> assertThat(role.at("rules")).doesNotContain("*"));
    }

    @Test
    void configurationsUseExistingSettingsAndTlsOnly() throws IOException {
        String page = Files.readString(CliResult.ROOT.resolve("docs/configuration.md"));
        List<String> configs = DeployedObject.ofKind("ConfigMap").stream()
                .map(each -> each.at("data/config.yaml"))
                .filter(config -> !config.equals("null"))
                .toList();
        assertThat(configs).hasSize(6).allSatisfy(config -> {
            assertThat(settings(config))
                    .contains("server.tls.certFile", "server.tokenFile")
                    .allSatisfy(setting -> assertThat(page).contains("| `" + setting + "` |"));
            assertThat(config).doesNotContain("password:");
        });
        assertThat(configs)
                .filteredOn(config -> config.contains("kafka:"))
                .hasSize(4)
                .allSatisfy(config -> assertThat(config).contains("secretsFile:", "security.protocol: SSL"));
        assertThat(DeployedObject.ofKind("ConfigMap"))
                .filteredOn(each -> each.file().startsWith("auditor"))
                .singleElement()
                .satisfies(each -> assertThat(each.at("data/client.properties")).contains("security.protocol=SSL"));
    }

    /** Names of the settings that a configuration file has. */
    static List<String> settings(String config) {
        List<String> settings = new ArrayList<>();
        settings("", new Load(LoadSettings.builder().build()).loadFromString(config), settings);
        return settings;
    }

    private static void settings(String path, Object value, List<String> into) {
        if (value instanceof Map<?, ?> map && !path.equals("kafka.client")) {
            map.forEach((name, each) -> settings(path.isEmpty() ? "" + name : path + "." + name, each, into));
        } else {
            into.add(path);
        }
    }
}
