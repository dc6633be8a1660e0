package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.campaigncontroller.CampaignControllerProcess;
import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.counts.OrchestratorApiConfig;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.ServerTlsConfig;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Campaigns, policies and orders as people write them with a real kubectl, on a real API server, with a real Kafka and orchestrator. The
 * controller has the role that is deployed, and nothing else.
 */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CampaignControllerIT {
    private static final String USER = "flotilla:campaign-controller";
    private static final Path DEPLOY = CliResult.ROOT.resolve("deploy/campaign-controller");
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir
    private static Path folder;

    private static KafkaFleetFixture fleet;
    private static KubeCluster hub;
    private static CampaignControllerProcess controller;

    @BeforeAll
    static void start() throws Exception {
        fleet = new KafkaFleetFixture();
        assertThat(fleet.run("site add east").exit()).isZero();
        hub = KubeCluster.start(KubeOptions.apiServer());
        assertThat(kubectl("create", "namespace", "flotilla").exit()).isZero();
        assertThat(kubectl("apply", "-f", DEPLOY.resolve("crds.yaml").toString())
                        .all())
                .contains(
                        "campaigns.flotilla.dev created",
                        "policies.flotilla.dev created",
                        "orders.flotilla.dev created");
        hub.awaitServed("/apis/flotilla.dev/v1/namespaces/flotilla/orders");
        String rbac = Files.readString(DEPLOY.resolve("rbac.yaml"))
                .replaceFirst(
                        "- \\{kind: ServiceAccount.*",
                        "- {kind: User, apiGroup: rbac.authorization.k8s.io, name: \"" + USER + "\"}");
        assertThat(kubectl("apply", "-f", write("rbac.yaml", rbac)).exit()).isZero();
        fleet.startOrchestratorWithApi();
        startController("first");
        fleet.publishInventory("east", 4);
        fleet.until("machine list", result -> result.out().contains("k1-w-3"));
    }

    /** Starts a controller that answers the webhook from now on. */
    private static void startController(String name) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("webhooks");
        authority.issue("controller").writeSeparateFiles(folder);
        controller = CampaignControllerProcess.start(
                KafkaClientSettings.forLocalBroker(fleet.bootstrap()),
                new HttpServerConfig(
                        new HostPort("127.0.0.1", 0),
                        new ServerTlsConfig(folder.resolve("controller.crt"), folder.resolve("controller.key"), null),
                        null),
                new HubClusterConfig(
                        hub.kubeconfig(USER), "flotilla", true, Duration.ofSeconds(10), Duration.ofMillis(200)),
                new OrchestratorApiConfig(fleet.api(), null, null),
                name);
        String ca = Base64.getEncoder().encodeToString(authority.certificate().getBytes(StandardCharsets.UTF_8));
        String webhook = Files.readString(DEPLOY.resolve("admission.yaml"))
                .replaceFirst(
                        "service: \\{.*path: (\\S+)}",
                        "url: \"" + controller.url() + "$1\"\n      caBundle: \"" + ca + "\"");
        assertThat(kubectl("apply", "-f", write("admission.yaml", webhook)).exit())
                .isZero();
    }

    @AfterAll
    static void stop() {
        controller.close();
        hub.close();
        fleet.close();
    }

    @Test
    @Order(1)
    void theFilesOfTheCommandsAreObjects() throws Exception {
        apply(CliResult.path("examples/policies/fleet.yaml"));
        apply(CliResult.path("examples/campaigns/canary.yaml"));
        await("get policy fleet", "Accepted");
        await("get campaign k8s-1-33", "Running", "rest", "channel=1.33-classic/stable");
        await("get campaign k8s-1-33 -o jsonpath={.status.machines}", "\"total\":4", "\"ended\":0");
        fleet.until("campaign list", result -> result.out().contains("k8s-1-33"));
        assertThat(fleet.run("policy list").out()).contains("10%");
        // The file itself changes nothing any more, on either side.
        assertThat(fleet.run("campaign apply " + CliResult.path("examples/campaigns/canary.yaml"))
                        .out())
                .contains("unchanged");
        assertThat(apply(CliResult.path("examples/campaigns/canary.yaml"))).contains("unchanged");
    }

    @Test
    @Order(2)
    void anObjectThatIsNotValidIsNotStored() throws Exception {
        String wrong = write("wrong.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: wrong}
            spec:
              target: {option: version=v1.33.0, expectedVersion: 1.33.0}
              select: {}
              windows: [{days: [sat], from: "22:00", to: "23:00", zone: Europe/Berln}]
            """);
        CliResult denied = kubectl("-n", "flotilla", "apply", "-f", wrong);
        assertThat(denied.exit()).isNotZero();
        assertThat(denied.all()).contains("check-manifest.flotilla.dev", "spec.windows[0].zone", "Europe/Berln");
        // Unknown fields are known to the API server.
        assertThat(kubectl("-n", "flotilla", "apply", "-f", write("unknown.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: unknown}
            spec: {target: {option: revision=7}, select: {}, wavess: []}
            """))
                        .all())
                .contains("unknown field \"spec.wavess\"");
    }

    @Test
    @Order(3)
    void whatTheOrchestratorRejectsIsInTheStatus() throws Exception {
        patch("campaign/k8s-1-33", "{\"spec\": {\"target\": {\"option\": \"revision=7\"}}}");
        await("get campaign k8s-1-33 -o yaml", "phase: Rejected", "spec.target", "accepted before stays in force");
        patch("campaign/k8s-1-33", "{\"spec\": {\"target\": {\"option\": \"channel=1.33-classic/stable\"}}}");
        await("get campaign k8s-1-33", "Running");
    }

    @Test
    @Order(4)
    void campaignsOfTheCommandsGetObjects() throws Exception {
        Path file = Files.writeString(folder.resolve("later.yaml"), """
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata: {name: later, labels: {owner: night}}
            spec: {target: {option: revision=7}, select: {sites: [east]}, startAt: "2199-01-01T00:00:00Z"}
            """);
        assertThat(fleet.run("campaign apply " + file).exit()).isZero();
        await("get campaign later --show-labels", "Running", "owner=night", "flotilla.dev/origin=kafka");
        await("get campaign later -o jsonpath={.status.message}", "nothing is in flight: ", " at gate ");
        // An edit with kubectl is written, and from then on the object is that person's.
        patch("campaign/later", "{\"spec\": {\"priority\": 7}}");
        fleet.until("campaign get later --output json", result -> result.json().contains("\"priority\":7"));
        assertThat(fleet.run("campaign apply " + file).exit()).isZero();
        await("get campaign later", "Conflict");
        overwriteTheRowOf("later");
        await("get campaign later", "Running");
        // A decision about one deletion is none about the next.
        assertThat(fleet.run("campaign delete later --reason mistake").exit()).isZero();
        await("get campaign later", "Conflict");
        overwriteTheRowOf("later");
        await("get campaign later", "Running");
        assertThat(fleet.run("campaign delete later --reason again").exit()).isZero();
        await("get campaign later", "Conflict");
        assertThat(kubectl("-n", "flotilla", "delete", "campaign", "later", "--timeout=60s")
                        .exit())
                .isZero();
        // One that nobody has edited follows its row.
        assertThat(fleet.run("campaign apply " + file).exit()).isZero();
        await("get campaign later", "Running");
        Path urgent = Files.writeString(
                folder.resolve("urgent.yaml"), Files.readString(file).replace("spec: {", "spec: {priority: 9, "));
        assertThat(fleet.run("campaign apply " + urgent).exit()).isZero();
        await("get campaign later -o jsonpath={.spec.priority}", "9");
        assertThat(fleet.run("campaign apply " + file).exit()).isZero();
        await(
                "get campaign later -o jsonpath={.spec.priority}",
                result -> !result.out().contains("9"));
        assertThat(fleet.run("campaign delete later --reason done").exit()).isZero();
        awaitGone("campaign later");
    }

    /** Lets an object replace, or delete, exactly the row that its conflict names. */
    private static void overwriteTheRowOf(String campaign) throws Exception {
        String hash = kubectl("-n", "flotilla", "get", "campaign", campaign, "-o", "jsonpath={.status.kafkaHash}")
                .out();
        assertThat(kubectl(
                                "-n",
                                "flotilla",
                                "annotate",
                                "--overwrite",
                                "campaign",
                                campaign,
                                "flotilla.dev/overwrite=" + hash)
                        .exit())
                .isZero();
    }

    @Test
    @Order(5)
    void whatIsChangedPastAnObjectIsAConflictUntilAPersonDecides() throws Exception {
        Path edited = Files.writeString(
                folder.resolve("edited.yaml"),
                Files.readString(Path.of(CliResult.path("examples/campaigns/canary.yaml")))
                        .replace("maxUnavailable: 34%", "maxUnavailable: 20%"));
        assertThat(fleet.run("campaign apply " + edited).exit()).isZero();
        await("get campaign k8s-1-33 -o yaml", "phase: Conflict", "reason: ChangedInKafka", "it was changed in Kafka");
        assertThat(fleet.run("campaign get k8s-1-33 --output json").json()).contains("\"maxUnavailable\":\"20%\"");
        overwriteTheRowOf("k8s-1-33");
        await("get campaign k8s-1-33", "Running");
        fleet.until(
                "campaign get k8s-1-33 --output json", result -> result.json().contains("\"maxUnavailable\":\"34%\""));
    }

    @Test
    @Order(6)
    void anOrderIsGivenOnceAndBearsItsAuthor() throws Exception {
        apply(write("pause.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Order
            metadata: {name: pause-for-the-night}
            spec: {verb: pause, campaign: k8s-1-33, reason: storm, requestedBy: somebody else}
            """));
        await("get order pause-for-the-night", "Accepted", "admin");
        await("get campaign k8s-1-33", "Paused");
        fleet.until("journal tail --output json", result -> result.json().contains("storm"));
        assertThat(fleet.run("campaign resume k8s-1-33 --reason calm").exit()).isZero();
        await("get campaign k8s-1-33", "Running");
        // The oldest comes first, and none is lost; the last one may have been written in the same second.
        apply(write("two.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Order
            metadata: {name: a-pause}
            spec: {verb: pause, campaign: k8s-1-33, reason: a gust}
            ---
            apiVersion: flotilla.dev/v1
            kind: Order
            metadata: {name: b-run}
            spec: {verb: run, campaign: k8s-1-33, reason: calm again}
            """));
        await("get order b-run", "Accepted");
        await("get order a-pause", "Accepted");
        await("get campaign k8s-1-33", "Running");
        // A large annotation is no reason to stop.
        assertThat(kubectl("-n", "flotilla", "annotate", "order", "b-run", "example.com/notes=" + "x".repeat(100_000))
                        .exit())
                .isZero();
        // While the controller is away, finalizers can be removed.
        controller.close();
        patch("policy/fleet", "{\"metadata\": {\"finalizers\": null}}");
        // Another controller does not give the order again.
        startController("second");
        apply(write("wrong-hash.yaml", """
            apiVersion: flotilla.dev/v1
            kind: Order
            metadata: {name: approve-unread}
            spec: {verb: approve, campaign: k8s-1-33, wave: canary, contentHash: "0123456789abcdef", reason: "yes"}
            """));
        await("get order approve-unread -o yaml", "phase: Rejected");
        await("get campaign k8s-1-33", "Running");
        assertThat(kubectl(
                                "-n",
                                "flotilla",
                                "patch",
                                "order",
                                "pause-for-the-night",
                                "--type=merge",
                                "-p",
                                "{\"spec\": {\"verb\": \"run\"}}")
                        .all())
                .contains("create another Order");
        apply(write("page.yaml", orderOfThePage()));
        await("get order pause-for-the-storm", "Accepted");
        await("get campaign k8s-1-33", "Paused", "storm over the coast");
    }

    @Test
    @Order(7)
    void ofTwoControllersOneWorksAndTheOtherOneTakesOver() throws Exception {
        String holder = "get lease flotilla-campaign-controller -o jsonpath={.spec.holderIdentity}";
        CampaignControllerProcess second = controller;
        startController("third");
        // The third answers the API server, and the second writes the row.
        patch("campaign/k8s-1-33", "{\"spec\": {\"priority\": 3}}");
        fleet.until(
                "campaign get k8s-1-33 --output json", result -> result.json().contains("\"priority\":3"));
        await(holder, "second_");
        second.close();
        await(holder, "third_");
        patch("campaign/k8s-1-33", "{\"spec\": {\"priority\": 4}}");
        fleet.until(
                "campaign get k8s-1-33 --output json", result -> result.json().contains("\"priority\":4"));
    }

    @Test
    @Order(8)
    void aDeletedCampaignIsAbortedAndGone() throws Exception {
        assertThat(kubectl("-n", "flotilla", "annotate", "campaign", "k8s-1-33", "flotilla.dev/reason=wrong target")
                        .exit())
                .isZero();
        assertThat(kubectl("-n", "flotilla", "delete", "campaign", "k8s-1-33", "--timeout=60s")
                        .all())
                .contains("deleted");
        awaitGone("campaign k8s-1-33");
        // Its machine in flight ends as it would, so it is still listed.
        assertThat(fleet.run("campaign list").out()).contains("aborted", "abort by campaign-controller: wrong target");
        assertThat(fleet.run("campaign get k8s-1-33 --output json").json()).contains("\"state\":\"aborted\"");
    }

    private static String apply(String file) throws Exception {
        CliResult applied = kubectl("-n", "flotilla", "apply", "-f", file);
        assertThat(applied.exit()).as(applied.all()).isZero();
        return applied.out();
    }

    private static void patch(String object, String merge) throws Exception {
        CliResult patched = kubectl("-n", "flotilla", "patch", object, "--type=merge", "-p", merge);
        assertThat(patched.exit()).as(patched.all()).isZero();
    }

    private static void await(String command, String... texts) throws Exception {
        await(command, result -> List.of(texts).stream().allMatch(result.out()::contains));
    }

    private static void awaitGone(String object) throws Exception {
        await("get " + object, result -> result.err().contains("NotFound"));
    }

    private static void await(String command, Predicate<CliResult> expected) throws Exception {
        List<String> line = new ArrayList<>(List.of("-n", "flotilla"));
        line.addAll(List.of(command.split(" ")));
        long until = System.nanoTime() + PATIENCE_NANOS;
        CliResult result = kubectl(line.toArray(String[]::new));
        while (!expected.test(result)) {
            assertThat(System.nanoTime())
                    .as("kubectl %s:%n%s", command, result.all())
                    .isLessThan(until);
            result = kubectl(line.toArray(String[]::new));
        }
    }

    /** The example of docs/gitops.md. */
    private static String orderOfThePage() throws IOException {
        String page = Files.readString(CliResult.ROOT.resolve("docs/gitops.md"));
        int order = page.indexOf("apiVersion: flotilla.dev/v1\nkind: Order");
        return page.substring(order, page.indexOf("```", order));
    }

    private static String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static CliResult kubectl(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(KubeBinaries.find().orElseThrow().kubectl().toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", hub.kubeconfig().toString());
        builder.environment().put("HOME", folder.toString());
        Path err = folder.resolve("kubectl.err");
        builder.redirectError(err.toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CliResult(process.waitFor(), out, Files.readString(err));
    }
}
