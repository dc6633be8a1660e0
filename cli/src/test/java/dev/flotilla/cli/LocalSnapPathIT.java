package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Upgrades a Machine to a snap file on its node by annotation. k8sd reports success before the installation, and also
 * if nothing is ever installed, so that only the node's state proves the result. Watcher and worker are processes, the
 * orchestrator and Kafka are real, the nodes are simulated.
 */
@Tag("nightly")
class LocalSnapPathIT {
    private static final String KEYS = "v1beta2.k8sd.io/in-place-upgrade-";
    private static final String PATH = "localPath=/opt/snaps/k8s.snap";
    private static final String CLUSTER = "edge";
    private static final String GOOD = CLUSTER + "-w-0";
    private static final String LIAR = CLUSTER + "-w-1";
    private static final double SPEED = 60;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Vertx vertx = Vertx.vertx();
    private final KafkaFleetFixture kafka = new KafkaFleetFixture();
    private final List<Process> processes = new ArrayList<>();
    private EmbeddedFleet fleet;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        WorkloadClusterSpec plan = WorkloadClusterSpec.withoutFaults(CLUSTER, 1, 2)
                .with(LIAR, new NodeFaultProfile(60_000, 0, false, 0, 100, 0, 0, 0, 0, 0, 0));
        fleet = done(EmbeddedFleet.start(
                vertx,
                new EmbeddedFleetSpec(
                        List.of(new EmbeddedFleetSpec.EmbeddedSiteSpec("north", List.of(plan))), 1, SPEED),
                k8sd.key(),
                k8sd.certificate(),
                authority.certificate()));
        done(fleet.runOnEventLoop(() -> {
            fleet.pinAllCertificates();
            fleet.nodes().forEach(node -> node.k8sd().runUnderPebble());
            return true;
        }));
        kafka.startOrchestrator();
        kafka.run("site add north");
        Path kubeconfig = Files.writeString(
                folder.resolve("kubeconfig"),
                Objects.requireNonNull(fleet.kubeconfigs().get("north")));
        run("management-watcher", "dev.flotilla.managementwatcher.Main", kubeconfig);
        run(
                "node-worker",
                "dev.flotilla.nodeworker.Main",
                kubeconfig,
                "--via",
                "127.0.0.1:" + fleet.k8sdPort(),
                "--ask-every",
                "100");
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        kafka.close();
        done(vertx.close());
    }

    @Test
    void installsALocalSnapAndSucceedsOnlyWhenTheNodeProvesIt() throws Exception {
        policy("");
        annotate(GOOD);
        await("a refusal", () -> kafka.run("rejected list").out().contains("intents.localPaths"));
        await("it to be seen", () -> "failed".equals(annotation(GOOD, "status")));
        await("its Event", () -> events(GOOD).stream().anyMatch(event -> event.contains("intents.localPaths: none")));
        assertThat(calls()).isEmpty();

        policy(", localPaths: [/opt/snaps]");
        await("the end", () -> "done".equals(annotation(GOOD, "status")));
        assertThat(annotation(GOOD, "release")).isEqualTo(PATH);
        assertThat(annotation(GOOD, "to")).isNull();
        assertThat(annotation(GOOD, "change-id")).isNull();
        assertThat(shown(GOOD)).isEqualTo(3050);

        annotate(LIAR);
        await("the failure", () -> "failed".equals(annotation(LIAR, "status")));
        assertThat(annotation(LIAR, "release")).isNull();
        assertThat(annotation(LIAR, "to")).isEqualTo(PATH);
        assertThat(shown(LIAR)).isEqualTo(3000);
        await("its Event", () -> events(LIAR).stream().anyMatch(event -> event.contains("InPlaceUpgradeFailed")));
        assertThat(events(LIAR))
                .anyMatch(event -> event.contains("not-at-target") && event.contains("the target is " + PATH));
        assertThat(calls()).containsExactly(GOOD, LIAR);
    }

    /** Allows one try, so that the first failure is final. */
    private void policy(String more) throws Exception {
        Path file = Files.writeString(folder.resolve("policy.yaml"), """
                apiVersion: flotilla.dev/v1
                kind: Policy
                metadata: {name: fleet}
                spec:
                  intents: {retries: {attempts: 1}%s}
                """.formatted(more));
        assertThat(kafka.run("policy apply " + file).exit()).isZero();
    }

    private void annotate(String machine) throws Exception {
        done(fleet.runOnEventLoop(() -> {
            node(machine)
                    .cluster()
                    .management()
                    .store()
                    .change(
                            ref(machine),
                            tree -> ImmutableJson.with(tree, PATH, "metadata", "annotations", KEYS + "to"));
            return true;
        }));
    }

    private @Nullable String annotation(String machine, String name) throws Exception {
        String value = done(fleet.runOnEventLoop(() -> {
            StoredObject there = Objects.requireNonNull(
                    node(machine).cluster().management().store().get(ref(machine)));
            return ImmutableJson.textAt(there.tree(), "metadata", "annotations", KEYS + name);
        }));
        return value.isEmpty() ? null : value;
    }

    private List<String> events(String machine) throws Exception {
        return done(fleet.runOnEventLoop(() -> node(machine)
                .cluster()
                .management()
                .store()
                .resourceStore(BuiltInResources.EVENTS)
                .objectsInNamespace("fleet")
                .stream()
                .map(StoredObject::tree)
                .filter(event ->
                        ImmutableJson.textAt(event, "involvedObject", "name").equals(machine))
                .map(event -> ImmutableJson.textAt(event, "reason") + " " + ImmutableJson.textAt(event, "message"))
                .toList()));
    }

    private int shown(String machine) throws Exception {
        return done(fleet.runOnEventLoop(() -> node(machine).node().revisionInNodeObject()));
    }

    private List<String> calls() throws Exception {
        return done(fleet.runOnEventLoop(() -> fleet.ledger().calls().stream()
                .map(call -> call.machine().name())
                .toList()));
    }

    private EmbeddedNode node(String machine) {
        return fleet.nodes().stream()
                .filter(node -> node.name().equals(machine))
                .findFirst()
                .orElseThrow();
    }

    private ObjectReference ref(String machine) {
        MachineKey key = node(machine).machine();
        return BuiltInResources.MACHINES.named(key.namespace(), key.name());
    }

    private void run(String name, String main, Path kubeconfig, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                main,
                "--bootstrap",
                kafka.bootstrap(),
                "--instance",
                name,
                "--site",
                "north",
                "--kubeconfig",
                kubeconfig.toString()));
        command.addAll(Arrays.asList(more));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        processes.add(builder.start());
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void await(String what, Condition condition) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("waiting for " + what + "\n" + Files.readString(log("management-watcher"))
                        + "\n" + Files.readString(log("node-worker")));
            }
        }
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
