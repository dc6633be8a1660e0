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

/**
 * A real kubectl on an embedded management cluster: the commands with which operators start upgrades and check their
 * result.
 */
@EnabledIf(value = KubeBinaries.PRESENT_WITH_KUBECTL, disabledReason = KubeBinaries.MISSING)
class KubectlIT {
    private static final String NAMESPACE = "--namespace=fleet";
    private static final String CLUSTER = "site-0-c-0";
    private static final String MACHINE = CLUSTER + "-w-0";
    private static final String TO = "v1beta2.k8sd.io/in-place-upgrade-to";
    private static final String TARGET = "channel=1.33-classic/stable";

    /** An object of each kind, with a name that kubectl accepts for the kind. */
    private static final Map<String, String> OBJECTS_BY_KIND = Map.of(
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
        KeyAndCertificate api = authority.issue("api");
        fleet = await(EmbeddedFleet.start(
                vertx,
                EmbeddedFleetSpec.evenSites(1, 1, 1, 2, 1, 60),
                api.key(),
                api.certificate(),
                authority.certificate()));
        String access = Objects.requireNonNull(fleet.kubeconfigs().get("site-0"));
        kubectl = Kubectl.of(Files.writeString(folder.resolve("site-0.kubeconfig"), access), folder);
    }

    @AfterAll
    static void stop() throws Exception {
        await(vertx.close());
    }

    @Test
    void kubectlListsAndShowsObjects() throws Exception {
        for (Map.Entry<String, String> entry : OBJECTS_BY_KIND.entrySet()) {
            assertThat(kubectl.run("get", entry.getKey(), NAMESPACE)).contains("NAME", entry.getValue());
            assertThat(kubectl.run("get", entry.getKey(), entry.getValue(), NAMESPACE, "-o", "yaml"))
                    .contains("name: " + entry.getValue(), "uid: ");
        }
        assertThat(kubectl.run("get", "machines", "--all-namespaces", "-l", "cluster.x-k8s.io/control-plane"))
                .contains(CLUSTER + "-cp-0")
                .doesNotContain(MACHINE);
    }

    @Test
    void kubectlSetsAndRemovesAnnotations() throws Exception {
        for (Map.Entry<String, String> entry : OBJECTS_BY_KIND.entrySet()) {
            kubectl.run("annotate", entry.getKey(), entry.getValue(), NAMESPACE, TO + "=" + TARGET);
            assertThat(annotation(entry.getKey(), entry.getValue())).isEqualTo(TARGET);

            kubectl.run("annotate", entry.getKey(), entry.getValue(), NAMESPACE, TO + "-");
            assertThat(annotation(entry.getKey(), entry.getValue())).isEmpty();
        }
    }

    private static String annotation(String kind, String name) throws Exception {
        String path = "{.metadata.annotations." + TO.replace(".", "\\.") + "}";
        return kubectl.run("get", kind, name, NAMESPACE, "-o", "jsonpath=" + path);
    }

    @Test
    void kubectlDescribesObjectsWithTheirEvents() throws Exception {
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

        for (Map.Entry<String, String> entry : OBJECTS_BY_KIND.entrySet()) {
            assertThat(kubectl.run("describe", entry.getKey(), entry.getValue(), NAMESPACE))
                    .contains("Name:", entry.getValue(), "Events:");
        }
        assertThat(kubectl.run("describe", "machine", MACHINE, NAMESPACE))
                .contains("InPlaceUpgradeInProgress", "Performing in place upgrade");
        assertThat(kubectl.run("describe", "machine", CLUSTER + "-w-1", NAMESPACE))
                .doesNotContain("InPlaceUpgradeInProgress");
    }

    @Test
    void kubectlWatchesChanges() throws Exception {
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

    private static <T> T store(Function<ClusterObjectStore, T> action) throws Exception {
        return await(fleet.runOnEventLoop(
                () -> action.apply(fleet.clusters().getFirst().management().store())));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
