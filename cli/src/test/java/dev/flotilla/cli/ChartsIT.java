package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.helm.HelmBinary;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The charts with a real helm: they pass its linter, a real API server accepts every object that they render, and wrong values are refused
 * with the path of the value. Objects of cert-manager, Strimzi, the Prometheus operator and Cluster API are checked against the fields of
 * {@code foreign-kinds.yaml} only.
 */
@Tag("nightly")
@EnabledIf(value = HelmBinary.PRESENT, disabledReason = HelmBinary.MISSING)
class ChartsIT {
    private static KubeCluster cluster;
    private static StrictKubectl kubectl;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        cluster = KubeCluster.start(KubeOptions.apiServer());
        kubectl = new StrictKubectl(cluster, folder);
        succeed(kubectl.run("apply", "--server-side", "-f", "deploy/namespace.yaml"));
        for (String namespace : List.of("fleet", "edge", "kafka")) {
            succeed(kubectl.runAsIs(List.of("create", "namespace", namespace)));
        }
        succeed(kubectl.run("apply", "--server-side", "-f", StrictKubectl.FOREIGN_KINDS));
        succeed(kubectl.runAsIs(StrictKubectl.AWAIT_KINDS));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static void succeed(CliResult said) {
        assertThat(said.exit()).as(said.all()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"flotilla-crds", "flotilla-fleet", "flotilla-site"})
    void helmFindsNothingToComplainAbout(String name) {
        HelmChart chart = new HelmChart(name);
        succeed(chart.lint());
        succeed(chart.lint("-f", chart.values("minimal").toString()));
        succeed(chart.lint("-f", chart.values("everything").toString()));
    }

    @ParameterizedTest
    @CsvSource({
        "flotilla-crds, minimal, 4",
        "flotilla-crds, everything, 7",
        "flotilla-fleet, minimal, 15",
        "flotilla-fleet, everything, 60",
        "flotilla-site, minimal, 20",
        "flotilla-site, everything, 92"
    })
    void apiServerAcceptsEveryObjectWithoutAWarning(String name, String values, int objects) throws Exception {
        HelmChart chart = new HelmChart(name);
        CliResult rendered =
                chart.template("flotilla", "-f", chart.values(values).toString());
        succeed(rendered);
        Path file = Files.writeString(folder.resolve(name + "-" + values + ".yaml"), rendered.out());
        // The kinds of the other charts.
        succeed(kubectl.run("apply", "--server-side", "-f", "deploy/crds"));

        CliResult said = kubectl.run("apply", "--server-side", "--dry-run=server", "-f", file.toString());

        succeed(said);
        assertThat(said.all().lines())
                .as(said.all())
                .allMatch(line -> line.endsWith(" serverside-applied (server dry run)"))
                .hasSize(objects);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flotilla-fleet | kafka.bootstrapServers=            | kafka.bootstrapServers is empty: set it to the brokers",
                "flotilla-fleet | kafka.bootstrapServers=kafka.example | at '/kafka/bootstrapServers': 'kafka.example' does not match",
                "flotilla-fleet | kafka.client.security\\.protocol=PLAINTEXT | at '/kafka/client/security.protocol': value must be one of",
                "flotilla-fleet | kafka.client.ssl\\.keystore\\.password=x | at '/kafka/client/ssl.keystore.password': false schema",
                "flotilla-fleet | orchestrator.replicas=0              | at '/orchestrator/replicas': minimum: got 0, want 1",
                "flotilla-fleet | monitoring.podMonitors.fleet=North_1 | at '/monitoring/podMonitors/fleet': 'North_1' does not match",
                "flotilla-fleet | monitoring.rules.docs=https://wiki.example | at '/monitoring/rules/docs': 'https://wiki.example' does not match",
                "flotilla-fleet | orchestrators.replicas=2             | additional properties 'orchestrators' not allowed",
                "flotilla-fleet | image.digests.orchestrator=latest    | at '/image/digests/orchestrator': 'latest' does not match",
                "flotilla-fleet | image.digests.node-worker=           | at '/image/digests': additional properties 'node-worker' not allowed",
                "flotilla-fleet | image.repository=flotilla            | at '/image': additional properties 'repository' not allowed",
                "flotilla-fleet | strimzi.enabled=true                 | at '/strimzi/cluster': minLength: got 0, want 1",
                "flotilla-fleet | upgradeCheck.since=soon              | at '/upgradeCheck/since': 'soon' does not match",
                "flotilla-fleet | ingress.enabled=true                 | at '/ingress/host': minLength: got 0, want 1",
                "flotilla-fleet | campaignController.caBundle=-----BEGIN | at '/campaignController/caBundle': '-----BEGIN' does not match",
                "flotilla-fleet | campaignController.enabled=true      | set campaignController.caBundle, or certManager.enabled",
                "flotilla-fleet | log.level=verbose                    | at '/log/level': 'verbose' does not match",
                "flotilla-fleet | strimzi.authentication=plain         | at '/strimzi/authentication': value must be one of",
                "flotilla-fleet | tracing.endpoint=http://c.example:4318 | at '/tracing/endpoint': 'http://c.example:4318' does not match",
                "flotilla-site  | tracing.headers=x                   | at '/tracing': additional properties 'headers' not allowed",
                "flotilla-site  | site=                                | site is empty: set it to the name of the site",
                "flotilla-site  | site=East_1                          | at '/site': 'East_1' does not match",
                "flotilla-site  | watcher.externalUpgradeRequests.enabled=true | at '/watcher/externalUpgradeRequests/callerNamespaces': minItems: got 0, want 1",
                "flotilla-site  | siteSync.schedule=                   | at '/siteSync/schedule': minLength: got 0, want 1",
                "flotilla-site  | intercept.caBundle=-----BEGIN        | at '/intercept/caBundle': '-----BEGIN' does not match",
                "flotilla-site  | intercept.enabled=true,intercept.webhook=true | set intercept.caBundle, or certManager.enabled",
                "flotilla-site  | clusters[0].name=blue                | at '/clusters/0': missing property 'namespace'",
                "flotilla-site  | clusterApiExtension.settings.uncovered=keep | at '/clusterApiExtension/settings/uncovered': value must be one of",
                "flotilla-site  | clusterApiExtension.settings.uncoverd=stop | additional properties 'uncoverd' not allowed",
                "flotilla-site  | worker.k8sdPort=70000                | at '/worker/k8sdPort': maximum: got 70,000, want 65,535",
                "flotilla-crds  | hub=maybe                           | at '/hub': got string, want boolean",
                "flotilla-crds  | keep=maybe                           | at '/keep': got string, want boolean"
            })
    void wrongValueIsRefusedWithItsPath(String name, String value, String message) {
        HelmChart chart = new HelmChart(name);
        CliResult said =
                chart.template("flotilla", "-f", chart.values("minimal").toString(), "--set", value);
        assertThat(said.exit()).as(said.all()).isEqualTo(1);
        assertThat(said.err()).contains(message);
    }

    @ParameterizedTest
    @CsvSource({"flotilla-fleet, everything", "flotilla-site, everything", "flotilla-site, plain"})
    void allObjectsFollowTheNamespaceOfTheRelease(String name, String values) {
        HelmChart chart = new HelmChart(name);
        CliResult said = chart.template("upgrades", "-f", chart.values(values).toString());
        succeed(said);
        assertThat(said.out())
                .doesNotContain(
                        "namespace: flotilla\n", "namespace: flotilla,", ".flotilla.svc", ": flotilla/flotilla-");
        assertThat(DeployedObject.parse(name, said.out()))
                .extracting(each -> each.at("metadata/namespace"))
                .contains("upgrades")
                .isSubsetOf("upgrades", "fleet", "edge", "kafka", "null");
    }

    @Test
    void everyProcessIsMonitoredAtAPortOfItsPods() {
        List<DeployedObject> all = new ArrayList<>(HelmChart.FLEET.render("everything"));
        all.addAll(HelmChart.SITE.render("everything"));
        List<DeployedObject> monitors = ofKind(all, "PodMonitor");
        List<DeployedObject> deployments = ofKind(all, "Deployment");
        assertThat(monitors).hasSameSizeAs(deployments).hasSize(7);
        assertThat(monitors)
                .allSatisfy(monitor -> assertThat(deployments)
                        .filteredOn(each ->
                                each.at("spec/selector/matchLabels").equals(monitor.at("spec/selector/matchLabels")))
                        .singleElement()
                        .satisfies(each -> assertThat(each.at("spec/template/spec/containers/0/ports/0/name"))
                                .isEqualTo(monitor.at("spec/podMetricsEndpoints/0/port"))));
    }

    /** Alerts and dashboards keep fleets apart by it. The processes of a site that use Kafka say their site themselves. */
    @Test
    void targetsHaveTheLabelsThatTheirProcessesDoNotKnow() {
        Map<String, List<String>> labels = new TreeMap<>();
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            for (DeployedObject monitor : ofKind(chart.render("everything"), "PodMonitor")) {
                List<String> own = new ArrayList<>();
                ((List<?>) Objects.requireNonNull(monitor.value("spec/podMetricsEndpoints/0/relabelings")))
                        .forEach(each -> own.add(
                                ((Map<?, ?>) each).get("targetLabel") + "=" + ((Map<?, ?>) each).get("replacement")));
                labels.put(monitor.at("metadata/name"), own);
            }
        }
        List<String> fleet = List.of("fleet=north");
        List<String> fleetAndSite = List.of("fleet=north", "site=east");
        assertThat(labels)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "flotilla-orchestrator", fleet,
                        "flotilla-auditor", fleet,
                        "flotilla-campaign-controller", fleet,
                        "flotilla-management-watcher", fleet,
                        "flotilla-node-worker", fleet,
                        "flotilla-node-upgrader", fleetAndSite,
                        "flotilla-cluster-api-extension", fleetAndSite));
    }

    @Test
    void everyGroupOfAlertsIsInOneOfTheCharts() throws Exception {
        List<Object> names = new ArrayList<>();
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            for (DeployedObject rule : ofKind(chart.render("everything"), "PrometheusRule")) {
                ((List<?>) Objects.requireNonNull(rule.value("spec/groups"))).forEach(names::add);
            }
        }
        DeployedObject rules = DeployedObject.parse(
                        "rules", Files.readString(DeployedObject.FOLDER.resolve("alerts/flotilla-rules.yaml")))
                .getFirst();
        assertThat(names).containsExactlyInAnyOrderElementsOf((List<?>) rules.value("groups"));
    }

    @Test
    void linksOfAlertsBeginWithTheDocsOfTheValues() {
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            List<DeployedObject> rules = ofKind(
                    chart.render("everything", "--set", "monitoring.rules.docs=https://wiki.example/fleet/"),
                    "PrometheusRule");
            assertThat(rules).isNotEmpty();
            assertThat(rules.stream()
                            .map(each -> each.at("spec/groups"))
                            .toList()
                            .toString())
                    .contains("runbook_url=https://wiki.example/fleet/runbook.md#")
                    .doesNotContain("https://flotilla.dev/docs/");
        }
    }

    @Test
    void certificatesOfKafkaClientsReplaceTheSecrets() {
        List<DeployedObject> all = new ArrayList<>(HelmChart.FLEET.render("everything"));
        all.addAll(HelmChart.SITE.render("everything"));
        assertThat(ofKind(all, "Certificate").stream()
                        .map(each -> each.at("spec/commonName"))
                        .filter(user -> !user.equals("null")))
                .containsExactlyInAnyOrder(
                        "flotilla-orchestrator",
                        "flotilla-auditor",
                        "flotilla-campaign-controller",
                        "flotilla-watcher-east",
                        "flotilla-worker-east");
        assertThat(ofKind(all, "KafkaUser").stream().map(each -> each.at("metadata/name")))
                .contains(
                        "flotilla-orchestrator",
                        "flotilla-auditor",
                        "flotilla-campaign-controller",
                        "flotilla-watcher-east",
                        "flotilla-worker-east");
        assertThat(ofKind(
                        HelmChart.FLEET.render("everything", "--set", "campaignController.enabled=false"), "KafkaUser"))
                .noneMatch(each -> each.at("metadata/name").equals("flotilla-campaign-controller"));
        assertThat(all).noneMatch(each -> each.at("spec/template/spec/volumes").contains("-kafka,"));
        assertThat(ofKind(all, "ConfigMap"))
                .filteredOn(each -> each.at("data/config.yaml").contains("bootstrapServers"))
                .hasSize(4)
                .allMatch(each -> each.at("data/config.yaml").contains("/etc/flotilla/kafka/keystore.pem"))
                .noneMatch(each -> each.at("data/config.yaml").contains("secretsFile"));
    }

    @Test
    void configurationsHaveDocumentedSettingsOnly() throws Exception {
        String page = Files.readString(CliResult.ROOT.resolve("docs/configuration.md"));
        List<DeployedObject> all = new ArrayList<>(HelmChart.FLEET.render("everything"));
        all.addAll(HelmChart.SITE.render("everything"));
        assertThat(ofKind(all, "ConfigMap").stream()
                        .map(each -> each.at("data/config.yaml"))
                        .filter(config -> !config.equals("null")))
                .hasSize(6)
                .allSatisfy(config -> assertThat(DeployManifestsTest.settings(config))
                        .contains("log.format", "server.tokenFile")
                        .allSatisfy(setting -> assertThat(page).contains("| `" + setting + "` |")));
    }

    @Test
    void eachProcessHasAnImageOfItsOwn() {
        assertThat(images(HelmChart.FLEET.render("everything")))
                .containsExactlyInAnyOrder(
                        "registry.example/flotilla/flotilla-orchestrator@sha256:" + "0123456789abcdef".repeat(4),
                        "registry.example/flotilla/flotilla-auditor:" + DeployManifestsTest.version(),
                        "registry.example/flotilla/flotilla-cli:" + DeployManifestsTest.version());
        assertThat(images(HelmChart.SITE.render("everything")))
                .containsExactlyInAnyOrder(
                        "registry.example/flotilla/flotilla-management-watcher:0.1.0",
                        "registry.example/flotilla/flotilla-node-worker:0.1.0",
                        "registry.example/flotilla/flotilla-node-upgrader:0.1.0",
                        "registry.example/flotilla/flotilla-cluster-api-extension:0.1.0");
        assertThat(images(HelmChart.SITE.render("minimal", "--set", "image.prefix=mirror/")))
                .containsExactlyInAnyOrder(
                        "mirror/management-watcher:" + DeployManifestsTest.version(),
                        "mirror/node-worker:" + DeployManifestsTest.version());
    }

    private static List<String> images(List<DeployedObject> objects) {
        return ofKind(objects, "Deployment").stream()
                .map(each -> each.at("spec/template/spec/containers/0/image"))
                .toList();
    }

    @Test
    void everySwitchTurnsItsObjectsOff() {
        String[] off = {
            "--set", "networkPolicies.enabled=false,podDisruptionBudgets.enabled=false,topologySpread.enabled=false",
            "--set", "startupProbes.enabled=false,certManager.enabled=false,certManager.kafkaClients.enabled=false",
            "--set", "monitoring.podMonitors.enabled=false,monitoring.rules.enabled=false",
            "--set", "monitoring.dashboards.enabled=false,strimzi.enabled=false"
        };
        List<String> offInFleet = new ArrayList<>(List.of(off));
        // Without cert-manager the webhook needs it.
        offInFleet.addAll(List.of("--set", "campaignController.caBundle=QUJD"));
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            List<DeployedObject> on = chart.render("everything");
            List<DeployedObject> without =
                    chart.render("everything", chart.equals(HelmChart.FLEET) ? offInFleet.toArray(String[]::new) : off);
            for (String kind : List.of(
                    "NetworkPolicy",
                    "PodDisruptionBudget",
                    "PodMonitor",
                    "PrometheusRule",
                    "KafkaTopic",
                    "KafkaUser")) {
                assertThat(ofKind(on, kind)).as(chart + " " + kind).isNotEmpty();
                assertThat(ofKind(without, kind)).as(chart + " " + kind).isEmpty();
            }
            assertThat(without)
                    .noneMatch(each -> each.at("metadata/labels").contains("grafana_dashboard"))
                    .noneMatch(each -> each.at("spec/template/spec/topologySpreadConstraints")
                            .contains("maxSkew"))
                    .noneMatch(each -> each.at("spec/template/spec/containers/0/startupProbe")
                            .contains("httpGet"));
            assertThat(ofKind(without, "Deployment")).hasSameSizeAs(ofKind(on, "Deployment"));
        }
    }

    /** The Job checks with the image of the new release, and the rights, the Secrets and the settings of the orchestrator. */
    @Test
    void jobChecksEachUpgradeOfAFleet() {
        for (String values : List.of("minimal", "everything")) {
            List<DeployedObject> all = HelmChart.FLEET.render(values);
            DeployedObject job = ofKind(all, "Job").getFirst();
            DeployedObject orchestrator = ofKind(all, "Deployment").stream()
                    .filter(each -> each.at("metadata/name").equals("flotilla-orchestrator"))
                    .findFirst()
                    .orElseThrow();
            assertThat(job.at("metadata/annotations")).contains("helm.sh/hook=pre-upgrade");
            for (String same : List.of(
                    "serviceAccountName", "securityContext", "containers/0/image", "containers/0/securityContext")) {
                assertThat(job.at("spec/template/spec/" + same))
                        .as(same)
                        .isEqualTo(orchestrator.at("spec/template/spec/" + same));
            }
            assertThat(kafkaVolume(job)).isEqualTo(kafkaVolume(orchestrator));
            assertThat(job.at("spec/template/spec/containers/0/args"))
                    .isEqualTo("[upgrade, check, --config, /etc/flotilla/config/kafka.yaml, --since, 7d]");
            assertThat(all)
                    .filteredOn(each -> each.at("data/kafka.yaml").contains("bootstrapServers"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.at("data/kafka.yaml")).doesNotContain("server:"));
            assertThat(ofKind(HelmChart.FLEET.render(values, "--set", "upgradeCheck.enabled=false"), "Job"))
                    .isEmpty();
        }
        assertThat(ofKind(HelmChart.FLEET.render("minimal", "--set", "upgradeCheck.acceptDifferences=true"), "Job")
                        .getFirst()
                        .at("spec/template/spec/containers/0/args"))
                .endsWith("--accept-differences]");
    }

    private static Object kafkaVolume(DeployedObject pods) {
        return ((List<?>) Objects.requireNonNull(pods.value("spec/template/spec/volumes")))
                .stream()
                        .filter(volume -> "kafka".equals(((Map<?, ?>) volume).get("name")))
                        .findFirst()
                        .orElseThrow();
    }

    /** Callers reach the second port of the watcher, by its Service, from their namespaces only. */
    @Test
    void controllersThatAskForUpgradesReachTheirPortOnly() {
        List<DeployedObject> all = HelmChart.SITE.render("everything").stream()
                .filter(each -> each.at("metadata/name").equals("flotilla-management-watcher"))
                .toList();
        assertThat(ofKind(all, "ConfigMap").getFirst().at("data/config.yaml")).contains("listen: 0.0.0.0:9444");
        assertThat(ofKind(all, "Deployment").getFirst().at("spec/template/spec/containers/0/ports"))
                .contains("{name=requests, containerPort=9444}");
        assertThat(ofKind(all, "Service").getFirst().at("spec/ports/0/targetPort"))
                .isEqualTo("requests");
        List<?> rules = (List<?>) ofKind(all, "NetworkPolicy").getFirst().value("spec/ingress");
        assertThat(rules).hasSize(2);
        assertThat(rules.get(0).toString()).contains("port=8443").doesNotContain("9444", "autoscaling");
        assertThat(rules.get(1).toString())
                .contains("port=9444", "values=[autoscaling]")
                .doesNotContain("8443");
    }

    @Test
    void aChangedSettingReplacesThePods() {
        List<Object> before = checksums(HelmChart.SITE.render("minimal"));
        List<Object> after = checksums(HelmChart.SITE.render("minimal", "--set", "watcher.config.log.level=debug"));
        assertThat(before).hasSize(2).doesNotContainNull();
        assertThat(after.get(0)).isNotEqualTo(before.get(0));
        assertThat(after.get(1)).isEqualTo(before.get(1));
    }

    /** Of the watcher, then of the worker. */
    private static List<Object> checksums(List<DeployedObject> objects) {
        return ofKind(objects, "Deployment").stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .map(each -> ((Map<?, ?>) Objects.requireNonNull(each.value("spec/template/metadata/annotations")))
                        .get("checksum/config"))
                .<Object>map(each -> each)
                .toList();
    }

    private static List<DeployedObject> ofKind(List<DeployedObject> objects, String kind) {
        return objects.stream().filter(each -> each.at("kind").equals(kind)).toList();
    }
}
