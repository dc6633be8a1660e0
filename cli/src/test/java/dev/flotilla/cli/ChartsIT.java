package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.follow.AuditorKafkaSettings;
import dev.flotilla.clusterapi.delegate.DelegateFile;
import dev.flotilla.testkit.helm.HelmBinary;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
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
 * with the path of the value. Objects of cert-manager, Strimzi, the Prometheus operator, the Gateway API and Cluster API are checked against the fields of
 * {@code foreign-kinds.yaml} only.
 */
@Tag("nightly")
@EnabledIf(value = HelmBinary.PRESENT, disabledReason = HelmBinary.MISSING)
class ChartsIT {
    private static final String FIRST_PORT = "spec/template/spec/containers/0/ports/0/";

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
        "flotilla-fleet, everything, 63",
        "flotilla-site, minimal, 20",
        "flotilla-site, everything, 94"
    })
    void apiServerAcceptsEveryObjectWithoutAWarning(String name, String values, int objects) throws Exception {
        HelmChart chart = new HelmChart(name);
        CliResult rendered =
                chart.template("flotilla", "-f", chart.values(values).toString());
        succeed(rendered);
        assertThat(accepted(name + "-" + values, rendered.out())).hasSize(objects);
    }

    /** What the API server says about each object of a text. */
    private static List<String> accepted(String name, String objects) throws Exception {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), objects);
        // The kinds of the other charts.
        succeed(kubectl.run("apply", "--server-side", "-f", "deploy/crds"));

        CliResult said = kubectl.run("apply", "--server-side", "--dry-run=server", "-f", file.toString());

        succeed(said);
        List<String> lines = said.all().lines().toList();
        assertThat(lines).as(said.all()).allMatch(line -> line.endsWith(" serverside-applied (server dry run)"));
        return lines;
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
                "flotilla-fleet | gateway.enabled=true                 | at '/gateway/parentRefs': minItems: got 0, want 1",
                "flotilla-fleet | gateway.hostnames={Flotilla}         | at '/gateway/hostnames/0': 'Flotilla' does not match",
                "flotilla-fleet | gateway.timeouts.request=soon        | at '/gateway/timeouts/request': 'soon' does not match",
                "flotilla-fleet | gateway.backendTls.caRef.kind=File   | at '/gateway/backendTls/caRef/kind': value must be one of",
                "flotilla-fleet | topologySpread.whenUnsatisfiable=Never | at '/topologySpread/whenUnsatisfiable': value must be one of",
                "flotilla-fleet | monitoring.podMonitors.enabled=true,monitoring.serviceMonitors.enabled=true | would scrape each pod twice",
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
                "flotilla-site  | siteSync.schedule=often              | at '/siteSync/schedule': 'often' does not match",
                "flotilla-site  | intercept.webhook=true               | at '/intercept/enabled': value must be true",
                "flotilla-site  | clusterApiExtension.register=true    | at '/clusterApiExtension/enabled': value must be true",
                "flotilla-site  | site=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv,certManager.kafkaClients.enabled=true | is longer than 64 characters",
                "flotilla-site  | worker.checkPorts={0}                | at '/worker/checkPorts/0': minimum: got 0, want 1",
                "flotilla-site  | intercept.caBundle=-----BEGIN        | at '/intercept/caBundle': '-----BEGIN' does not match",
                "flotilla-site  | intercept.enabled=true,intercept.webhook=true | set intercept.caBundle, or certManager.enabled",
                "flotilla-site  | clusters[0].name=blue                | at '/clusters/0': missing property 'namespace'",
                "flotilla-site  | clusterApiExtension.settings.uncovered=keep | at '/clusterApiExtension/settings/uncovered': value must be one of",
                "flotilla-site  | clusterApiExtension.settings.uncoverd=stop | additional properties 'uncoverd' not allowed",
                "flotilla-site  | clusterApiExtension.delegates.list[0].name=memory | at '/clusterApiExtension/delegates/caSecret': minLength",
                "flotilla-site  | clusterApiExtension.delegates.list[0].caFile=/ca.crt | at '/clusterApiExtension/delegates/list/0/caFile'",
                "flotilla-site  | topologySpread.whenUnsatisfiable=Never | at '/topologySpread/whenUnsatisfiable': value must be one of",
                "flotilla-site  | services=true                       | at '/services': got boolean, want object",
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
        assertThat(ofKind(DeployedObject.parse(name, said.out()), "CronJob"))
                .hasSize(chart.equals(HelmChart.SITE) ? 1 : 0)
                .allMatch(each -> each.at("spec/jobTemplate/spec/template/spec/containers/0/args")
                        .contains("--service-account, upgrades/flotilla-node-worker"));
    }

    /** YAML reads an unquoted 2026 as a number, which the API server refuses. */
    @Test
    void namesOfDigitsStayTexts() {
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            CliResult said = chart.template(
                    "1234",
                    "-f",
                    chart.values("everything").toString(),
                    "--set-string",
                    "monitoring.podMonitors.fleet=7" + (chart.equals(HelmChart.SITE) ? ",site=2026" : ""));
            succeed(said);
            List<DeployedObject> all = DeployedObject.parse(chart.name(), said.out());
            assertThat(all)
                    .extracting(each -> each.value("metadata/namespace"))
                    .filteredOn(Objects::nonNull)
                    .contains("1234")
                    .allMatch(String.class::isInstance);
            assertThat(ofKind(all, "PodMonitor"))
                    .isNotEmpty()
                    .extracting(each -> each.value("spec/podMetricsEndpoints/0/relabelings/0/replacement"))
                    .containsOnly("7");
        }
    }

    /** A key without a value in a file of values is one that has none. */
    @Test
    void mapsWithoutAValueAreEmpty() throws Exception {
        Path fleet = Files.writeString(folder.resolve("empty-fleet.yaml"), """
            log:
            tracing:
            kafka: {client: }
            image: {digests: }
            orchestrator: {config: , resources: }
            auditor: {client: }
            campaignController: {enabled: true, config: }
            certManager: {enabled: true}
            """);
        assertThat(HelmChart.FLEET.render("minimal", "-f", fleet.toString())).isNotEmpty();
        Path site = Files.writeString(folder.resolve("empty-site.yaml"), """
            log:
            tracing:
            kafka: {client: }
            image: {digests: }
            watcher: {config: }
            worker: {config: }
            nodeUpgrader: {enabled: true, config: }
            clusterApiExtension: {enabled: true, config: , settings: , delegates: }
            """);
        assertThat(HelmChart.SITE.render("minimal", "-f", site.toString())).isNotEmpty();
    }

    /** They have no policies that rename annotations. */
    @Test
    void interceptNeedsTheWebhookOnOlderApiServers() {
        String values = HelmChart.SITE.values("minimal").toString();
        String policies = "intercept.enabled=true";
        String webhook = "intercept.enabled=true,intercept.webhook=true,intercept.caBundle=QUJD";
        CliResult said =
                HelmChart.SITE.template("flotilla", "-f", values, "--set", policies, "--kube-version", "v1.35.4");
        assertThat(said.exit()).as(said.all()).isEqualTo(1);
        assertThat(said.err()).contains("this API server is v1.35.4: set intercept.webhook too");
        succeed(HelmChart.SITE.template("flotilla", "-f", values, "--set", policies, "--kube-version", "v1.36.0"));
        succeed(HelmChart.SITE.template("flotilla", "-f", values, "--set", webhook, "--kube-version", "v1.35.4"));
    }

    /** Also where the namespace is shared, whose other pods no policy of the chart selects. */
    @Test
    void podsReachDnsWithoutDenyByDefault() {
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            assertThat(named(chart.render("minimal"), "NetworkPolicy", chart.name() + "-dns")
                            .at("spec/podSelector"))
                    .isEqualTo("{}");
            List<DeployedObject> shared = chart.render(
                    "minimal",
                    "--set",
                    "networkPolicies.denyByDefault=false",
                    "--set",
                    "networkPolicies.dnsNamespace=openshift-dns,networkPolicies.dnsPort=5353");
            DeployedObject dns = named(shared, "NetworkPolicy", chart.name() + "-dns");
            assertThat(dns.at("spec/podSelector")).isEqualTo("{matchLabels={app.kubernetes.io/part-of=flotilla}}");
            assertThat(dns.at("spec/egress"))
                    .contains("kubernetes.io/metadata.name=openshift-dns", "port=5353, protocol=UDP");
            assertThat(ofKind(shared, "NetworkPolicy"))
                    .allMatch(each -> each.at("spec/podSelector").contains("app.kubernetes.io/"));
        }
    }

    /** The ports of the brokers are in their addresses. */
    @Test
    void workersReachTheBrokersAndTheServersOfChecks() {
        List<DeployedObject> all = HelmChart.SITE.render(
                "minimal",
                "--set",
                "kafka.bootstrapServers=kafka.example:19092",
                "--set",
                "worker.checkPorts={9090},worker.checksSecret=worker-checks");
        assertThat(named(all, "NetworkPolicy", "flotilla-node-worker").at("spec/egress"))
                .contains("port=9093", "port=19092", "port=9090");
        assertThat(named(all, "NetworkPolicy", "flotilla-management-watcher").at("spec/egress"))
                .contains("port=19092")
                .doesNotContain("port=9090");
        DeployedObject worker = named(all, "Deployment", "flotilla-node-worker");
        assertThat(worker.at("spec/template/spec/containers/0/volumeMounts"))
                .contains("{name=checks, mountPath=/etc/flotilla/checks, readOnly=true}");
        assertThat(worker.at("spec/template/spec/volumes")).contains("name=checks, secret={secretName=worker-checks,");
        assertThat(named(all, "Deployment", "flotilla-management-watcher").at("spec/template/spec/volumes"))
                .doesNotContain("worker-checks");
    }

    private static DeployedObject named(List<DeployedObject> all, String kind, String name) {
        return ofKind(all, kind).stream()
                .filter(each -> each.at("metadata/name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
    }

    /** Every process has the settings of the Kafka client, and the auditor reads them from a file of its own. */
    @Test
    void auditorReadsTheSettingsOfTheKafkaClient() throws Exception {
        Path values = Files.writeString(
                folder.resolve("client.yaml"),
                "kafka: {client: {connections.max.idle.ms: 1800000, client.dns.lookup: use_all_dns_ips}}\n");
        String config = named(
                        HelmChart.FLEET.render("minimal", "-f", values.toString()), "ConfigMap", "flotilla-auditor")
                .at("data/client.properties");
        assertThat(config).contains("connections.max.idle.ms=1800000\n");
        Properties settings = new Properties();
        settings.load(new StringReader(config));
        assertThat(new AuditorKafkaSettings("kafka-0.example:9093", settings).problems())
                .isEmpty();
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
        List<String> fleet = List.of("fleet=north");
        List<String> fleetAndSite = List.of("fleet=north", "site=east");
        assertThat(targetLabels(everything(), "PodMonitor", "podMetricsEndpoints"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "flotilla-orchestrator", fleet,
                        "flotilla-auditor", fleet,
                        "flotilla-campaign-controller", fleet,
                        "flotilla-management-watcher", fleet,
                        "flotilla-node-worker", fleet,
                        "flotilla-node-upgrader", fleetAndSite,
                        "flotilla-cluster-api-extension", fleetAndSite));
    }

    private static Map<String, List<String>> targetLabels(List<DeployedObject> all, String kind, String endpoints) {
        Map<String, List<String>> labels = new TreeMap<>();
        for (DeployedObject monitor : ofKind(all, kind)) {
            List<String> own = new ArrayList<>();
            ((List<?>) Objects.requireNonNull(monitor.value("spec/" + endpoints + "/0/relabelings")))
                    .forEach(each -> own.add(
                            ((Map<?, ?>) each).get("targetLabel") + "=" + ((Map<?, ?>) each).get("replacement")));
            labels.put(monitor.at("metadata/name"), own);
        }
        return labels;
    }

    /** The objects of fleet and site with every switch on. */
    private static List<DeployedObject> everything(String... options) {
        List<DeployedObject> all = new ArrayList<>(HelmChart.FLEET.render("everything", options));
        all.addAll(HelmChart.SITE.render("everything", options));
        return all;
    }

    /** Prometheus finds each process by its Service, at one name of the port, whatever else the Service is for. */
    @Test
    void everyProcessHasAServiceWithItsMetrics() {
        List<DeployedObject> all = everything();
        List<DeployedObject> deployments = ofKind(all, "Deployment");
        assertThat(deployments).hasSize(7).allSatisfy(process -> {
            DeployedObject service = service(all, process.at("metadata/name"));
            assertThat(service.at("spec/selector")).isEqualTo(process.at("spec/selector/matchLabels"));
            assertThat(ports(service)).contains("metrics to " + process.at(FIRST_PORT + "name"));
            assertThat(process.at(FIRST_PORT + "containerPort"))
                    .as("what the NetworkPolicy admits from Prometheus")
                    .isEqualTo(ofKind(all, "NetworkPolicy").stream()
                            .filter(each -> each.at("metadata/name").equals(process.at("metadata/name")))
                            .findFirst()
                            .orElseThrow()
                            .at("spec/ingress/0/ports/0/port"));
        });
        assertThat(ports(service(all, "flotilla-management-watcher")))
                .containsExactly("https to requests", "metrics to http");
        assertThat(ports(service(all, "flotilla-node-worker"))).containsExactly("metrics to http");
        assertThat(ports(service(all, "flotilla-orchestrator"))).containsExactly("https to http", "metrics to http");

        List<DeployedObject> without = ofKind(everything("--set", "services.enabled=false"), "Service");
        assertThat(without)
                .extracting(each -> each.at("metadata/name"))
                .containsExactlyInAnyOrder(
                        "flotilla-orchestrator",
                        "flotilla-campaign-controller",
                        "flotilla-management-watcher",
                        "flotilla-cluster-api-extension");
        assertThat(without).allSatisfy(each -> assertThat(ports(each)).hasSize(1));
    }

    private static DeployedObject service(List<DeployedObject> all, String name) {
        return ofKind(all, "Service").stream()
                .filter(each -> each.at("metadata/name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no Service " + name));
    }

    private static List<String> ports(DeployedObject service) {
        return ((List<?>) Objects.requireNonNull(service.value("spec/ports")))
                .stream()
                        .map(each -> ((Map<?, ?>) each).get("name") + " to " + ((Map<?, ?>) each).get("targetPort"))
                        .toList();
    }

    /** They scrape the same ports with the same labels as PodMonitors, by Services that come with them. */
    @Test
    void serviceMonitorsReplacePodMonitors() throws Exception {
        String[] options = {
            "--set", "monitoring.podMonitors.enabled=false,services.enabled=false",
            "--set", "monitoring.serviceMonitors.enabled=true,monitoring.serviceMonitors.fleet=north",
            "--set", "monitoring.serviceMonitors.labels.release=prometheus"
        };
        List<DeployedObject> all = everything(options);
        List<DeployedObject> monitors = ofKind(all, "ServiceMonitor");
        assertThat(ofKind(all, "PodMonitor")).isEmpty();
        assertThat(monitors).hasSize(7).allSatisfy(monitor -> {
            DeployedObject service = service(all, monitor.at("metadata/name"));
            assertThat(service.at("metadata/labels")).contains("app.kubernetes.io/name=" + monitor.at("metadata/name"));
            assertThat(monitor.at("spec/selector/matchLabels"))
                    .isEqualTo("{app.kubernetes.io/name=" + monitor.at("metadata/name") + "}");
            assertThat(monitor.at("spec/endpoints/0/port")).isEqualTo("metrics");
            assertThat(ports(service)).anyMatch(each -> each.startsWith("metrics to "));
            assertThat(monitor.at("metadata/labels")).contains("release=prometheus");
        });
        assertThat(targetLabels(all, "ServiceMonitor", "endpoints"))
                .isEqualTo(targetLabels(everything(), "PodMonitor", "podMetricsEndpoints"));
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            List<String> line =
                    new ArrayList<>(List.of("-f", chart.values("everything").toString()));
            line.addAll(List.of(options));
            CliResult rendered = chart.template("flotilla", line.toArray(String[]::new));
            succeed(rendered);
            assertThat(accepted(chart.name() + "-service-monitors", rendered.out()))
                    .filteredOn(each -> each.startsWith("servicemonitor."))
                    .isNotEmpty();
        }
    }

    /** The gateway reaches the Service, knows the name in its certificate, and comes through the NetworkPolicy. */
    @Test
    void gatewayReachesThePageByHttps() {
        List<DeployedObject> all = HelmChart.FLEET.render("everything");
        DeployedObject route = ofKind(all, "HTTPRoute").getFirst();
        assertThat(route.at("spec/rules/0/backendRefs")).isEqualTo("[{name=flotilla-orchestrator, port=443}]");
        assertThat(service(all, "flotilla-orchestrator").at("spec/ports/0")).contains("name=https, port=443");
        assertThat(route.at("spec/parentRefs")).isEqualTo("[{name=public, namespace=gateways, sectionName=https}]");
        assertThat(route.at("spec/hostnames")).isEqualTo("[flotilla.example]");
        assertThat(route.at("spec/rules/0/timeouts")).isEqualTo("{request=0s}");
        DeployedObject policy = ofKind(all, "BackendTLSPolicy").getFirst();
        assertThat(policy.at("spec/targetRefs/0/name")).isEqualTo("flotilla-orchestrator");
        assertThat(ofKind(all, "Certificate"))
                .filteredOn(each -> each.at("spec/secretName").equals("flotilla-orchestrator-tls"))
                .singleElement()
                .matches(each -> each.at("spec/dnsNames").equals("[" + policy.at("spec/validation/hostname") + "]"));
        assertThat(policy.at("spec/validation/caCertificateRefs"))
                .isEqualTo("[{group=, kind=ConfigMap, name=flotilla-orchestrator-ca}]");
        assertThat(orchestratorPeers()).contains("name=gateways}");
        assertThat(orchestratorPeers("--set", "gateway.proxyNamespace=envoy-gateway-system"))
                .contains("name=envoy-gateway-system}")
                .doesNotContain("name=gateways}");
        assertThat(orchestratorPeers("--set", "gateway.enabled=false")).doesNotContain("name=gateways}");
        assertThat(ofKind(
                        HelmChart.FLEET.render("everything", "--set", "gateway.backendTls.enabled=false"),
                        "BackendTLSPolicy"))
                .isEmpty();
    }

    private static String orchestratorPeers(String... options) {
        return ofKind(HelmChart.FLEET.render("everything", options), "NetworkPolicy").stream()
                .filter(each -> each.at("metadata/name").equals("flotilla-orchestrator"))
                .findFirst()
                .orElseThrow()
                .at("spec/ingress/0/from");
    }

    /** Also while an update replaces them, when the pods of two versions run side by side. */
    @ParameterizedTest
    @CsvSource({"flotilla-fleet, 1", "flotilla-site, 2"})
    void replicasMayBeKeptOnNodesOfTheirOwn(String name, int spread) {
        HelmChart chart = new HelmChart(name);
        assertThat(spreads(chart.render("minimal")))
                .hasSize(spread)
                .allMatch(each -> each.contains("whenUnsatisfiable=ScheduleAnyway"))
                .noneMatch(each -> each.contains("matchLabelKeys"));
        assertThat(spreads(chart.render("minimal", "--set", "topologySpread.whenUnsatisfiable=DoNotSchedule")))
                .hasSize(spread)
                .allMatch(each -> each.contains("whenUnsatisfiable=DoNotSchedule"))
                .allMatch(each -> each.contains("matchLabelKeys=[pod-template-hash]"));
    }

    private static List<String> spreads(List<DeployedObject> objects) {
        return ofKind(objects, "Deployment").stream()
                .map(each -> each.at("spec/template/spec/topologySpreadConstraints"))
                .filter(each -> !each.equals("null"))
                .toList();
    }

    /** The extension reads them as they are in the values, and reaches them. */
    @Test
    void delegatesOfTheExtensionAreInItsConfiguration() throws Exception {
        List<DeployedObject> all = HelmChart.SITE.render("everything").stream()
                .filter(each -> each.at("metadata/name").equals("flotilla-cluster-api-extension"))
                .toList();
        DeployedObject config = ofKind(all, "ConfigMap").getFirst();
        assertThat(config.at("data/config.yaml")).contains("delegatesFile: /etc/flotilla/config/delegates.yaml");
        Path file = Files.writeString(folder.resolve("delegates.yaml"), config.at("data/delegates.yaml"));
        assertThat(DelegateFile.readRemotely(file)).singleElement().satisfies(each -> {
            assertThat(each.name()).isEqualTo("memory");
            assertThat(each.caFile()).hasToString("/etc/flotilla/delegates/memory-ca.crt");
        });
        assertThat(ofKind(all, "Deployment").getFirst().at("spec/template/spec/containers/0/volumeMounts"))
                .contains("name=delegates, mountPath=/etc/flotilla/delegates, readOnly=true");
        assertThat(ofKind(all, "Deployment").getFirst().at("spec/template/spec/volumes"))
                .contains("name=delegates, secret={secretName=flotilla-delegates,");
        assertThat(ofKind(all, "NetworkPolicy").getFirst().at("spec/egress")).contains("port=9443");

        assertThat(HelmChart.SITE.render("minimal", "--set", "clusterApiExtension.enabled=true"))
                .noneMatch(each -> each.at("data/config.yaml").contains("delegatesFile"))
                .noneMatch(each -> each.at("spec/template/spec/volumes").contains("name=delegates"))
                .filteredOn(each -> each.id().equals("NetworkPolicy flotilla/flotilla-cluster-api-extension"))
                .noneMatch(each -> each.at("spec/egress").contains("port=9443"));
    }

    /** The docs are published nowhere yet. */
    @Test
    void notesWarnOfLinksThatLeadNowhere() {
        for (HelmChart chart : List.of(HelmChart.FLEET, HelmChart.SITE)) {
            String warning = "WARNING: the links of the alerts lead to https://flotilla.dev/docs/";
            assertThat(notes(chart, "monitoring.rules.enabled=false")).doesNotContain("WARNING");
            assertThat(notes(chart, "monitoring.rules.enabled=true")).contains(warning);
            assertThat(notes(chart, "monitoring.rules.enabled=true,monitoring.rules.docs=https://wiki.example/fleet/"))
                    .doesNotContain("WARNING");
        }
    }

    @Test
    void notesSayHowTheRolesOfWorkersAreGranted() {
        String command = "flotilla site rbac east --service-account flotilla/flotilla-node-worker | kubectl";
        assertThat(notes(HelmChart.SITE, "siteSync.enabled=false")).contains(command);
        assertThat(notes(HelmChart.SITE, "siteSync.enabled=true"))
                .contains("create job site-sync-now --from=cronjob/flotilla-site-sync")
                .doesNotContain("flotilla site rbac");
    }

    /** What helm prints after an installation with the least values and one more. */
    private static String notes(HelmChart chart, String value) {
        CliResult said = HelmChart.helm(
                cluster.kubeconfig(),
                chart.folder().resolve("ci"),
                List.of(
                        "install",
                        chart.name(),
                        "deploy/charts/" + chart.name(),
                        "--namespace",
                        "flotilla",
                        "--dry-run=client",
                        "-f",
                        "minimal-values.yaml",
                        "--set",
                        value));
        succeed(said);
        int notes = said.out().indexOf("\nNOTES:\n");
        assertThat(notes).as(said.out()).isNotNegative();
        return said.out().substring(notes);
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
        String digest = "sha256:" + "0123456789abcdef".repeat(4);
        assertThat(HelmChart.SITE.render("plain", "--set", "image.digests.cli=" + digest))
                .filteredOn(each -> each.at("kind").equals("CronJob"))
                .extracting(each -> each.at("spec/jobTemplate/spec/template/spec/containers/0/image"))
                .containsExactly("flotilla-cli@" + digest);
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
        offInFleet.addAll(List.of("--set", "campaignController.caBundle=QUJD,gateway.enabled=false"));
        offInFleet.addAll(List.of("--set", "ingress.enabled=false"));
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
            for (String kind : List.of("Ingress", "HTTPRoute", "BackendTLSPolicy")) {
                assertThat(ofKind(on, kind)).as(kind).hasSize(chart.equals(HelmChart.FLEET) ? 1 : 0);
                assertThat(ofKind(without, kind)).as(kind).isEmpty();
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
            assertThat(kafkaVolume(job).toString())
                    .as("a missing Secret fails the check, which then names the file")
                    .contains("optional=true")
                    .satisfies(volume -> assertThat(volume.replace(", optional=true", ""))
                            .isEqualTo(kafkaVolume(orchestrator).toString()));
            assertThat(job.at("spec/template/spec/imagePullSecrets"))
                    .isEqualTo(values.equals("minimal") ? "null" : "[{name=registry}]");
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
