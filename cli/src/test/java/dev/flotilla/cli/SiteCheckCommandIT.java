package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Runs {@code site check} against a real API server while it is set up step by step. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SiteCheckCommandIT {
    private static final SiteId EAST = new SiteId("east");
    private static final String CANARY = "canary-3f9a6c21";
    private static final String WATCHER = "rights of system:serviceaccount:flotilla:flotilla-management-watcher: ";
    private static final String WORKER = "rights of system:serviceaccount:flotilla:flotilla-node-worker: ";

    @TempDir
    private static Path folder;

    private static KafkaFleetFixture fleet;
    private static KubeCluster cluster;
    private static String uid;

    @BeforeAll
    static void start() {
        cluster = KubeCluster.start(KubeOptions.apiServer()).withClusterApi();
        apply("{apiVersion: v1, kind: Namespace, metadata: {name: fleet}}");
        Matcher found = Pattern.compile("\"uid\":\"([^\"]+)\"")
                .matcher(apply("{apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}"));
        assertThat(found.find()).isTrue();
        uid = found.group(1);
        fleet = new KafkaFleetFixture();
        fleet.run("site add east");
        fleet.startOrchestrator();
        sendHeartbeat(uid);
        fleet.until("site rbac east", cliResult -> cliResult.exit() == ExitCode.DONE);
    }

    @AfterAll
    static void stop() {
        fleet.close();
        cluster.close();
    }

    private static void sendHeartbeat(String managementUid) {
        fleet.write(List.of(
                new WatcherHeartbeat(
                        EAST, managementUid, "watcher-1", Instant.now().truncatedTo(ChronoUnit.MILLIS), 0),
                new ClusterRow(new ClusterKey(EAST, "fleet", "k1"), "uid-k1", Labels.NONE, false, false, null, 1, 1)));
    }

    /** Applies a manifest. */
    private static String apply(String manifest) {
        String last = "";
        for (String document : manifest.split("(?m)^---\n", -1)) {
            Map<?, ?> object = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(document);
            Map<?, ?> metadata = (Map<?, ?>) object.get("metadata");
            String version = (String) object.get("apiVersion");
            String kind = ((String) object.get("kind")).toLowerCase(Locale.ROOT);
            last = cluster.apply(
                    (version.contains("/") ? "/apis/" : "/api/") + version + "/"
                            + (metadata.containsKey("namespace") ? "namespaces/" + metadata.get("namespace") + "/" : "")
                            + (kind.endsWith("y") ? kind.substring(0, kind.length() - 1) + "ies" : kind + "s") + "/"
                            + metadata.get("name"),
                    document);
        }
        return last;
    }

    private static String deployed(String file) throws IOException {
        return Files.readString(CliResult.ROOT.resolve("deploy").resolve(file));
    }

    private static String command() {
        return "site check east --kubeconfig " + cluster.kubeconfig();
    }

    /** Waits for output lines, because an API server applies roles and kinds after a moment. */
    private static CliResult awaitLines(String... lines) {
        return fleet.until(command(), cliResult -> List.of(lines).stream().allMatch(cliResult.out()::contains));
    }

    @Test
    @Order(1)
    void namesWhatIsMissingAndTheCommandThatCreatesIt() {
        CliResult cliResult = fleet.run(command());

        assertThat(cliResult.exit()).isEqualTo(ExitCode.NO);
        assertThat(cliResult.out())
                .contains(
                        "ok       broker",
                        "ok       management cluster: " + cluster.url()
                                + " answers and is the one that the site's watcher uses",
                        "ok       admission policy: the provider's controllers do not run here",
                        "FAILED   " + WATCHER + "42 missing, the first is to list clusters.cluster.x-k8s.io:"
                                + " `kubectl apply -f deploy/management-watcher/rbac.yaml` grants them",
                        "FAILED   " + WORKER
                                + "17 missing, the first is to get machines.cluster.x-k8s.io in namespace fleet:"
                                + " `flotilla site rbac east | kubectl apply -f -` grants them",
                        "FAILED   kubeconfigs: 1 of 1 cannot be used, the first is that of east/fleet/k1:" + " Secret"
                                + " k1-kubeconfig cannot be read: 404",
                        "ok       snap hold: there are no CK8sConfigs")
                .doesNotContain("--kubeconfig");
        assertThat(fleet.run(command() + " -o json").json())
                .contains("\"passed\":false", "\"check\":\"kubeconfigs\",\"status\":\"failed\",\"message\":\"1of1");
    }

    @Test
    @Order(2)
    void requiresThePolicyOnceTheProvidersControllersRun() throws IOException {
        apply("{apiVersion: v1, kind: Namespace, metadata: {name: cabpck-system}}");
        apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: controller-manager
                  namespace: cabpck-system
                  labels: {cluster.x-k8s.io/provider: bootstrap-ck8s}
                spec:
                  selector: {matchLabels: {control-plane: controller-manager}}
                  template:
                    metadata: {labels: {control-plane: controller-manager}}
                    spec: {containers: [{name: manager, image: "example.org/manager:1"}]}
                """);
        CliResult without = fleet.run(command());
        assertThat(without.out())
                .contains(
                        "FAILED   admission policy: the provider's controllers run here (Deployment cabpck-system/",
                        "`kubectl apply -f deploy/management-watcher/intercept.yaml`");

        apply(deployed("management-watcher/intercept.yaml"));
        assertThat(fleet.run(command()).out())
                .contains("ok       admission policy")
                .contains("flotilla-intercept hides");
    }

    @Test
    @Order(3)
    void checksThePermissionsOfTheDeployedRoles() throws IOException {
        String watcher = deployed("management-watcher/rbac.yaml");
        String worker = fleet.run("site rbac east").out();
        apply(watcher);
        apply(worker);
        awaitLines("ok       " + WATCHER + "all 42 granted", "ok       " + WORKER + "all 17 granted");

        apply(without(watcher, "resources: [ck8scontrolplanes]\n    verbs: [list, watch, patch]", "[list, watch]"));
        apply(without(worker, "resources: [machinedrainrules]\n    verbs: [list]", "[get]"));
        awaitLines(
                "FAILED   " + WATCHER
                        + "1 missing, the first is to patch ck8scontrolplanes.controlplane.cluster.x-k8s.io:",
                "FAILED   " + WORKER
                        + "1 missing, the first is to list machinedrainrules.cluster.x-k8s.io in namespace fleet:");
        apply(watcher);
        apply(worker);
        awaitLines("ok       " + WATCHER, "ok       " + WORKER);
    }

    private static String without(String manifest, String rule, String verbs) {
        assertThat(manifest).contains(rule);
        return manifest.replace(rule, rule.replaceFirst("verbs: .*", "verbs: " + verbs));
    }

    @Test
    @Order(4)
    void readsAKubeconfigAndNeverPrintsIt() throws IOException {
        kubeconfig(Files.readString(cluster.kubeconfig()));
        assertThat(fleet.run(command()).out())
                .contains("differs  kubeconfigs: 1 of 1 expire within 30 days, the first is that of east/fleet/k1, on"
                        + " 20");

        KeyAndCertificate ended = CertificateAuthority.create("old").issueExpired("k1-admin");
        kubeconfig(user("client-certificate-data: " + base64(ended.certificate()) + ", client-key-data: "
                + base64(ended.key())));
        CliResult late = fleet.run(command());
        assertThat(late.exit()).isEqualTo(ExitCode.NO);
        assertThat(late.out())
                .contains(
                        "FAILED   kubeconfigs: 1 of 1 cannot be used, the first is that of east/fleet/k1: it expired"
                                + " on ",
                        "renew Secret k1-kubeconfig in namespace fleet");

        kubeconfig("password: " + CANARY);
        CliResult unfit = fleet.run(command());
        assertThat(unfit.out()).contains("FAILED   kubeconfigs").contains("the kubeconfig cannot be used");
        assertThat(unfit.all()).doesNotContain(CANARY);

        kubeconfig(user("token: " + CANARY));
        CliResult token = fleet.run(command());
        assertThat(token.exit()).as(token.all()).isZero();
        assertThat(token.out()).contains("ok       kubeconfigs: 1 of 1 can be read");
        assertThat(token.all()).doesNotContain(CANARY);
    }

    private static String user(String credentials) {
        return """
                current-context: k1
                clusters: [{name: k1, cluster: {server: "https://10.0.0.1:6443", certificate-authority-data: YWJj}}]
                contexts: [{name: k1, context: {cluster: k1, user: k1}}]
                users: [{name: k1, user: {%s}}]
                """.formatted(credentials);
    }

    private static void kubeconfig(String text) {
        apply("{apiVersion: v1, kind: Secret, metadata: {name: k1-kubeconfig, namespace: fleet}, data: {value: "
                + base64(text) + "}}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Order(5)
    void countsNodesThatDoNotHoldTheirSnap() {
        config("w-1", "controlPlane: {microclusterPort: 2380}");
        config("w-2", "postRunCommands: [snap refresh --hold k8s]");
        assertThat(fleet.run(command()).out())
                .contains(
                        "differs  snap hold: 1 of 2 CK8sConfigs do not hold their node's snap, the first is fleet/w-1");

        config("w-1", "postRunCommands: [snap refresh k8s --hold]");
        assertThat(fleet.run(command()).out()).contains("ok       snap hold: all 2 CK8sConfigs hold their node's snap");
    }

    private static void config(String name, String spec) {
        apply("{apiVersion: bootstrap.cluster.x-k8s.io/v1beta2, kind: CK8sConfig, metadata: {name: " + name
                + ", namespace: fleet}, spec: {" + spec + "}}");
    }

    @Test
    @Order(6)
    void saysWhichRightsTheCallerLacks() {
        CliResult cliResult = fleet.run("site check east --kubeconfig " + cluster.kubeconfig("stranger"));

        assertThat(cliResult.exit()).as(cliResult.all()).isZero();
        assertThat(cliResult.out())
                .contains(
                        "ok       management cluster: " + cluster.url()
                                + " answers; not checked whether it is this site's",
                        "unknown  admission policy: Deployments of the provider's controllers: 403",
                        "unknown  " + WATCHER + "not permitted to review",
                        "unknown  " + WORKER + "not permitted to review",
                        "unknown  kubeconfigs: not permitted to read 1 of 1",
                        "unknown  snap hold: the CK8sConfigs cannot be listed: 403");
    }

    @Test
    @Order(7)
    void reportsTheWrongOrUnreachableClusterBesideTheKafkaChecks() throws IOException {
        Path unreachable = Files.writeString(
                folder.resolve("nobody"),
                Files.readString(cluster.kubeconfig()).replaceAll("https://\\S+", "https://127.0.0.1:1"));
        CliResult result = fleet.run("site check east --kubeconfig " + unreachable);
        assertThat(result.exit()).isEqualTo(ExitCode.NO);
        assertThat(result.out())
                .contains("ok       broker", "FAILED   management cluster: https://127.0.0.1:1 does not answer: ")
                .doesNotContain("admission policy");

        sendHeartbeat("another");
        CliResult other = fleet.until(command(), cliResult -> cliResult.out().contains("is not the one"));
        assertThat(other.exit()).isEqualTo(ExitCode.NO);
        assertThat(other.out())
                .contains("is not the one that the site's watcher uses (namespace kube-system has uid " + uid)
                .doesNotContain("admission policy");

        Path unfit = Files.writeString(folder.resolve("unfit"), "current-context: " + CANARY);
        CliResult wrong = fleet.run("site check east --kubeconfig " + unfit);
        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.out()).isEmpty();
        assertThat(wrong.err()).contains(unfit.toString(), "cannot be used").doesNotContain(CANARY);
    }
}
