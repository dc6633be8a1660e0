package dev.flotilla.cli.allinone;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fulfils NodeUpgrades where there are no kubelets: a few seconds after an upgrade has begun, the Node gets the version that a
 * real upgrade would bring. Nothing runs on any node, and the only step of each status is named {@code simulated}.
 */
final class SimulatedNodeUpgrader implements AutoCloseable {
    static final String STEP = "simulated";

    private static final String VERSION = "flotilla.dev/v1alpha1";
    private static final String CLUSTER_API = "cluster.x-k8s.io/v1beta2";
    private static final String MACHINE_OF_NODE = "cluster.x-k8s.io/machine";
    private static final String NAMESPACE_OF_NODE = "cluster.x-k8s.io/cluster-namespace";
    private static final String PREPARE = "Prepare";
    private static final String TARGET_VERSION = "version=";
    private static final String TARGET_SPEC = "spec=";
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration WORK = Duration.ofSeconds(3);
    private static final int ROUNDS_PER_HEARTBEAT = 10;
    private static final int ROUNDS_PER_LEASE = 20;
    private static final Duration HEARTBEATS_AFTER_END = Duration.ofMinutes(10);
    private static final int MAX_OBJECTS = 100_000;

    private final KubeApiClient management;
    private final CountDownLatch stopped = new CountDownLatch(1);
    /** Used by its thread only. */
    private long rounds;

    SimulatedNodeUpgrader(KubeApiClient management) {
        this.management = management;
    }

    void start() {
        Thread.ofVirtual().name("simulated node-upgrader").start(this::run);
    }

    private void run() {
        try {
            while (!stopped.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                rounds++;
                // A request that fails is made again in the next round, because everything is read again.
                var unused = management.forEachObject(
                        KubeApiPath.listPath(VERSION, "nodeupgrades"), "", MAX_OBJECTS, this::advance);
                if (rounds % ROUNDS_PER_LEASE == 1) {
                    unused = management.forEachObject(
                            KubeApiPath.listPath(CLUSTER_API, "clusters"), "", MAX_OBJECTS, this::playKubelets);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void advance(KubeObject upgrade) {
        String phase = Objects.requireNonNullElse(upgrade.text("status", "phase"), "Pending");
        boolean abort = "Abort".equals(upgrade.text("spec", "phase"));
        Instant now = Instant.now();
        if (phase.equals("Pending")) {
            writeStatus(upgrade, abort ? "Aborted" : "Running", abort ? "Skipped" : "Running", null, null);
        } else if (phase.equals("Running")) {
            Instant since = startedAt(upgrade);
            if (since == null || !now.isBefore(since.plus(WORK))) {
                end(upgrade);
            }
        } else if (phase.equals("Succeeded") && rounds % ROUNDS_PER_HEARTBEAT == 0) {
            Instant since = startedAt(upgrade);
            if (since != null && now.isBefore(since.plus(HEARTBEATS_AFTER_END))) {
                // A node-worker that takes over believes only what a kubelet reports from then on.
                var unused = writeNode(upgrade, null);
            }
        }
    }

    private static @Nullable Instant startedAt(KubeObject upgrade) {
        List<KubeObject> steps = upgrade.list("status", "steps");
        return steps.isEmpty() ? null : steps.getFirst().instant("since");
    }

    private void end(KubeObject upgrade) {
        String target = Objects.requireNonNullElse(upgrade.text("spec", "target"), "");
        String version = target.startsWith(TARGET_VERSION)
                ? target.substring(TARGET_VERSION.length())
                : readWantedVersion(upgrade);
        String spec = target.startsWith(TARGET_SPEC) ? target.substring(TARGET_SPEC.length()) : null;
        if (PREPARE.equals(upgrade.text("spec", "stage"))) {
            // Nothing is fetched, and nothing on the Node changes.
            writeStatus(upgrade, "Succeeded", "Succeeded", null, null);
        } else if (version == null || writeNode(upgrade, version)) {
            writeStatus(upgrade, "Succeeded", "Succeeded", version, spec);
        }
    }

    /** Returns the version that Cluster API wants of a Machine that it updates in place; null if it does not. */
    private @Nullable String readWantedVersion(KubeObject upgrade) {
        String name = Objects.requireNonNullElse(upgrade.text("spec", "machine", "name"), "");
        KubeObject machine = readMachine(upgrade.namespace(), name);
        return machine != null && isUpdating(machine) ? machine.text("spec", "version") : null;
    }

    private @Nullable KubeObject readMachine(String namespace, String name) {
        return management.get(KubeApiPath.groupObject(CLUSTER_API, namespace, "machines", name))
                        instanceof KubeResponse.SuccessResponse found
                ? found.object()
                : null;
    }

    private static boolean isUpdating(KubeObject machine) {
        return machine.annotation(AnnotationKeys.UPDATE_IN_PROGRESS) != null;
    }

    /** Writes onto the Node what its kubelet would report, with another version unless that is null. Returns whether it is done. */
    private boolean writeNode(KubeObject upgrade, @Nullable String version) {
        String secret = Objects.requireNonNullElse(upgrade.text("spec", "kubeconfigSecret"), "");
        String node = Objects.requireNonNullElse(upgrade.text("spec", "node"), "");
        try (SimulatedKubelets kubelets = SimulatedKubelets.open(management, upgrade.namespace(), secret)) {
            return kubelets != null && kubelets.report(node, version);
        }
    }

    /** Plays the kubelets of the clusters that have none: nobody starts an upgrade beside nodes whose kubelets are silent. */
    private void playKubelets(KubeObject cluster) {
        try (SimulatedKubelets kubelets =
                SimulatedKubelets.open(management, cluster.namespace(), cluster.name() + "-kubeconfig")) {
            if (kubelets != null && kubelets.existInMemory()) {
                kubelets.reportAll(this::readFirstVersion);
            }
        }
    }

    /** Returns the version with which the Machine of a Node was made; up to Cluster API 1.12 the Node in memory does not report it. */
    private @Nullable String readFirstVersion(KubeObject node) {
        String machine = node.annotation(MACHINE_OF_NODE);
        String namespace = node.annotation(NAMESPACE_OF_NODE);
        KubeObject read = machine == null || namespace == null ? null : readMachine(namespace, machine);
        return read != null && !isUpdating(read) ? read.text("spec", "version") : null;
    }

    private void writeStatus(
            KubeObject upgrade, String phase, String step, @Nullable String version, @Nullable String spec) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        JsonObjectReader.Builder status = new JsonObjectReader.Builder()
                .put("phase", phase)
                .put("lastHeartbeat", now)
                .put(
                        "steps",
                        new JsonValue.JsonArray(
                                List.of(new JsonObjectReader.Builder()
                                        .put("name", STEP)
                                        .put("state", step)
                                        .put("since", now)
                                        .build()),
                                JsonValue.NO_LINE));
        if (version != null) {
            status.put("observedVersion", version);
        }
        if (spec != null) {
            status.put("observedSpec", spec);
        }
        // Somebody else may have written the object; then it is read again in the next round.
        var unused = management.mergePatch(
                KubeApiPath.groupObject(VERSION, upgrade.namespace(), "nodeupgrades", upgrade.name()) + "/status",
                new JsonObjectReader.Builder()
                        .put("metadata", object("resourceVersion", text(upgrade.resourceVersion())))
                        .put("status", status.build())
                        .build());
    }

    private static JsonObjectReader object(String name, JsonValue value) {
        return new JsonObjectReader.Builder().put(name, value).build();
    }

    private static JsonValue text(String value) {
        return new JsonValue.JsonString(value, JsonValue.NO_LINE);
    }

    @Override
    public void close() {
        stopped.countDown();
    }
}
