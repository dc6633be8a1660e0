package dev.flotilla.testkit.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A real kubectl on an embedded management cluster: what people type who start upgrades and look what became of them. */
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class KubectlIT {
    private static final String NAMESPACE = "--namespace=fleet";
    private static final String CLUSTER = "site-0-c-0";
    private static final String MACHINE = CLUSTER + "-w-0";
    private static final String TO = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final String TARGET = "channel=1.33-classic/stable";

    /** An object of each of our kinds, under a name that people call the kind by. */
    private static final Map<String, String> OURS = Map.of(
            "clusters", CLUSTER,
            "ck8scontrolplane", CLUSTER + "-control-plane",
            "machinedeployments.cluster.x-k8s.io", CLUSTER + "-workers",
            "ms", CLUSTER + "-workers-6d5f7c9b4",
            "Machine", MACHINE);

    @TempDir
    private static Path folder;

    private static Vertx vertx;
    private static EmbeddedFleet fleet;
    private static Kubectl kubectl;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate itself = authority.issue("api");
        fleet = done(EmbeddedFleet.start(
                vertx,
                EmbeddedFleetSpec.evenSites(1, 1, 1, 2, 1, 60),
                itself.key(),
                itself.certificate(),
                authority.certificate()));
        String access = Objects.requireNonNull(fleet.kubeconfigs().get("site-0"));
        kubectl = Kubectl.of(Files.writeString(folder.resolve("site-0.kubeconfig"), access), folder);
    }

    @AfterAll
    static void stop() throws Exception {
        done(vertx.close());
    }

    @Test
    void objectsOfOurKindsAreListedAndShown() throws Exception {
        for (Map.Entry<String, String> each : OURS.entrySet()) {
            assertThat(kubectl.run("get", each.getKey(), NAMESPACE)).contains("NAME", each.getValue());
            assertThat(kubectl.run("get", each.getKey(), each.getValue(), NAMESPACE, "-o", "yaml"))
                    .contains("name: " + each.getValue(), "uid: ");
        }
        assertThat(kubectl.run("get", "machines", "--all-namespaces", "-l", "cluster.x-k8s.io/control-plane"))
                .contains(CLUSTER + "-cp-0")
                .doesNotContain(MACHINE);
    }

    @Test
    void annotationsAreSetAndTakenAway() throws Exception {
        for (Map.Entry<String, String> each : OURS.entrySet()) {
            kubectl.run("annotate", each.getKey(), each.getValue(), NAMESPACE, TO + "=" + TARGET);
            assertThat(annotation(each.getKey(), each.getValue())).isEqualTo(TARGET);

            kubectl.run("annotate", each.getKey(), each.getValue(), NAMESPACE, TO + "-");
            assertThat(annotation(each.getKey(), each.getValue())).isEmpty();
        }
    }

    private static String annotation(String kind, String name) throws Exception {
        String path = "{.metadata.annotations." + TO.replace(".", "\\.") + "}";
        return kubectl.run("get", kind, name, NAMESPACE, "-o", "jsonpath=" + path);
    }

    @Test
    void objectsAreDescribedWithTheirEvents() throws Exception {
        String uid = store(store -> ImmutableJson.textAt(
                Objects.requireNonNull(store.get(BuiltInResources.MACHINES.named("fleet", MACHINE)))
                        .tree(),
                "metadata",
                "uid"));
        store(store -> store.put(
                BuiltInResources.EVENTS.named("fleet", MACHINE + ".1"),
                ImmutableJson.object(
                        "involvedObject",
                        ImmutableJson.object(
                                "apiVersion", "cluster.x-k8s.io/v1beta2",
                                "kind", "Machine",
                                "namespace", "fleet",
                                "name", MACHINE,
                                "uid", uid),
                        "reason",
                        "InPlaceUpgradeInProgress",
                        "message",
                        "Performing in place upgrade",
                        "type",
                        "Normal")));

        for (Map.Entry<String, String> each : OURS.entrySet()) {
            assertThat(kubectl.run("describe", each.getKey(), each.getValue(), NAMESPACE))
                    .contains("Name:", each.getValue(), "Events:");
        }
        assertThat(kubectl.run("describe", "machine", MACHINE, NAMESPACE))
                .contains("InPlaceUpgradeInProgress", "Performing in place upgrade");
        assertThat(kubectl.run("describe", "machine", CLUSTER + "-w-1", NAMESPACE))
                .doesNotContain("InPlaceUpgradeInProgress");
    }

    @Test
    void changesAreSeenAsTheyHappen() throws Exception {
        Process watching = kubectl.start(
                "get",
                "machines",
                CLUSTER + "-w-1",
                NAMESPACE,
                "--watch",
                "-o",
                "custom-columns=NAME:.metadata.name,TO:.metadata.annotations." + TO.replace(".", "\\."));
        try (BufferedReader lines = watching.inputReader()) {
            assertThat(lines.readLine()).startsWith("NAME");
            assertThat(lines.readLine()).contains(CLUSTER + "-w-1", "<none>");

            kubectl.run("annotate", "machine", CLUSTER + "-w-1", NAMESPACE, TO + "=" + TARGET);

            assertThat(lines.readLine()).contains(CLUSTER + "-w-1", TARGET);
        } finally {
            watching.destroyForcibly();
        }
    }

    private static <T> T store(Function<ClusterObjectStore, T> question) throws Exception {
        return done(fleet.runOnEventLoop(
                () -> question.apply(fleet.clusters().getFirst().management().store())));
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
