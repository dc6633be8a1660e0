package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import dev.flotilla.simulator.kubernetes.store.ObjectEvent;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.node.RefreshCallResult;
import dev.flotilla.simulator.node.SimNodeUpgrades.NodeUpgradePhase;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays the Job controller and the kubelets of a workload cluster for the Jobs of NodeUpgrades: a Job's pod is work of the
 * simulated node, and a pod that reads the result reports what has become of it. While a node is unreachable, its pods report
 * nothing.
 */
final class UpgradeJobRunner {
    private static final String POD_LABEL = "flotilla.dev/upgrade-pod";
    private static final Pattern TARGET = Pattern.compile("export FLOTILLA_TARGET='([^']*)'");
    private static final long RETRY_MILLIS = 1_000;
    private static final int RETRYABLE = 1;
    private static final int PERMANENT = 2;

    private final EmbeddedCluster cluster;
    private final ClusterObjectStore store;
    private final VirtualClockScheduler scheduler;
    private final InstantSource clock;
    private final Map<String, JobRun> runs = new LinkedHashMap<>();
    private final Map<ObjectReference, EmbeddedNode> unreadResults = new LinkedHashMap<>();

    /**
     * A Job and its pod.
     *
     * @param steps names of the steps, in order
     */
    private record JobRun(
            ObjectReference job, ObjectReference pod, EmbeddedNode node, List<String> steps, long since) {}

    private UpgradeJobRunner(EmbeddedCluster cluster, VirtualClockScheduler scheduler, InstantSource clock) {
        this.cluster = cluster;
        this.store = cluster.workload().store();
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** Runs the Jobs of a cluster from now on. */
    static void install(EmbeddedCluster cluster, VirtualClockScheduler scheduler, InstantSource clock) {
        UpgradeJobRunner runner = new UpgradeJobRunner(cluster, scheduler, clock);
        runner.store.resourceStore(BuiltInResources.JOBS).watch(runner::onJob);
        runner.store.resourceStore(BuiltInResources.PODS).watch(runner::onPod);
        cluster.workload().setPodLogReader(runner::readLog);
        cluster.nodes().forEach(node -> node.node().watch(() -> runner.onNode(node)));
    }

    private void onJob(ObjectEvent event) {
        if (event.before() == null && !event.deleted()) {
            startJob(event.after());
        }
    }

    private void startJob(StoredObject job) {
        JsonObjectReader pod = ImmutableJson.inner(job.tree(), "spec", "template", "spec");
        EmbeddedNode node = findNode(ImmutableJson.textAt(pod, "nodeName"));
        UpgradeTarget target = readTarget(pod);
        boolean suspended = ImmutableJson.valueAt(job.tree(), "spec", "suspend") instanceof JsonValue.JsonBoolean flag
                && flag.value();
        if (node == null || target == null || suspended || store.get(job.ref()) == null) {
            return;
        }
        String name = job.ref().name();
        long attempt = Long.parseLong(name.substring(name.lastIndexOf('-') + 1));
        if (node.node().nodeUpgrades().create(node.machine(), name, target, attempt, "node-upgrader")
                instanceof RefreshCallResult.NodeBusy) {
            scheduler.after(RETRY_MILLIS, () -> startJob(job));
            return;
        }
        ObjectReference ref = BuiltInResources.PODS.named(job.ref().namespace(), name + "-" + job.version());
        runs.put(
                name,
                new JobRun(job.ref(), ref, node, steps(pod), clock.instant().getEpochSecond()));
        store.put(
                ref,
                ImmutableJson.object(
                        "metadata",
                        ImmutableJson.object(
                                "labels",
                                ImmutableJson.inner(job.tree(), "spec", "template", "metadata", "labels"),
                                "ownerReferences",
                                ImmutableJson.list(KubeObjectTemplates.controller(job))),
                        "spec",
                        pod,
                        "status",
                        ImmutableJson.object(
                                "phase",
                                "Pending",
                                "initContainerStatuses",
                                ImmutableJson.list(ImmutableJson.object(
                                        "name",
                                        "step-" + steps(pod).getFirst(),
                                        "state",
                                        ImmutableJson.object("running", ImmutableJson.EMPTY))))));
        endJobs(node);
    }

    private @Nullable EmbeddedNode findNode(String name) {
        return cluster.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The target as the script of a step exports it, which a real kubelet would run. */
    private static @Nullable UpgradeTarget readTarget(JsonObjectReader pod) {
        Matcher target = TARGET.matcher(variable(pod, "initContainers", "FLOTILLA_SCRIPT"));
        return target.find() ? UpgradeTarget.parse(target.group(1)) : null;
    }

    private static List<String> steps(JsonObjectReader pod) {
        return List.of(variable(pod, "containers", "FLOTILLA_STEPS").split(" "));
    }

    private static String variable(JsonObjectReader pod, String containers, String name) {
        for (JsonValue container : ImmutableJson.items(pod, containers)) {
            for (JsonValue variable : ImmutableJson.items(container, "env")) {
                if (ImmutableJson.textAt(variable, "name").equals(name)) {
                    return ImmutableJson.textAt(variable, "value");
                }
            }
        }
        return "";
    }

    private void onPod(ObjectEvent event) {
        StoredObject pod = event.after();
        boolean readsResult = ImmutableJson.textAt(pod.tree(), "metadata", "labels", POD_LABEL)
                .equals("result");
        EmbeddedNode node = findNode(ImmutableJson.textAt(pod.tree(), "spec", "nodeName"));
        if (!readsResult || node == null || event.before() != null) {
            return;
        }
        unreadResults.put(pod.ref(), node);
        // The response to the creation comes before the result.
        scheduler.after(1, () -> readResults(node));
    }

    private void onNode(EmbeddedNode node) {
        endJobs(node);
        readResults(node);
    }

    /** Ends the Jobs whose work on a node has ended. */
    private void endJobs(EmbeddedNode node) {
        if (!node.node().isReachable()) {
            return;
        }
        for (JobRun run : List.copyOf(runs.values())) {
            NodeUpgradePhase phase = phase(run);
            if (!run.node().equals(node) || phase == null || phase == NodeUpgradePhase.RUNNING) {
                continue;
            }
            boolean succeeded = phase == NodeUpgradePhase.SUCCEEDED;
            StoredObject pod = store.get(run.pod());
            if (pod != null && isOpen(pod)) {
                store.change(
                        run.pod(),
                        tree -> ImmutableJson.with(
                                tree, ImmutableJson.object("phase", succeeded ? "Succeeded" : "Failed"), "status"));
                store.change(run.job(), tree -> withEnd(tree, succeeded));
            }
        }
    }

    private static boolean isOpen(StoredObject pod) {
        return ImmutableJson.textAt(pod.tree(), "status", "phase").equals("Pending");
    }

    private JsonObjectReader withEnd(JsonObjectReader job, boolean succeeded) {
        return ImmutableJson.with(
                job,
                ImmutableJson.object(
                        succeeded ? "succeeded" : "failed",
                        1,
                        "conditions",
                        ImmutableJson.list(KubeObjectTemplates.condition(
                                succeeded ? "Complete" : "Failed",
                                true,
                                succeeded ? "CompletionsReached" : "PodFailurePolicy",
                                KubeObjectTemplates.time(clock.instant())))),
                "status");
    }

    private void readResults(EmbeddedNode node) {
        if (!node.node().isReachable()) {
            return;
        }
        List<ObjectReference> read = new ArrayList<>();
        unreadResults.forEach((pod, where) -> {
            if (where.equals(node)) {
                read.add(pod);
            }
        });
        for (ObjectReference pod : read) {
            unreadResults.remove(pod);
            store.change(pod, tree -> withReport(pod, tree));
        }
    }

    private JsonObjectReader withReport(ObjectReference pod, JsonObjectReader tree) {
        String job = pod.name().substring(0, pod.name().lastIndexOf('-'));
        String report = report(runs.get(job), steps(ImmutableJson.inner(tree, "spec")));
        return ImmutableJson.with(
                tree,
                ImmutableJson.object(
                        "phase",
                        "Succeeded",
                        "containerStatuses",
                        ImmutableJson.list(ImmutableJson.object(
                                "name",
                                "flotilla-result",
                                "state",
                                ImmutableJson.object(
                                        "terminated", ImmutableJson.object("exitCode", 0, "message", report))))),
                "status");
    }

    private @Nullable String readLog(ObjectReference pod) {
        for (JobRun run : runs.values()) {
            if (run.pod().equals(pod)) {
                return run.node().node().isReachable() ? report(run, run.steps()) + "\n" : null;
            }
        }
        return null;
    }

    private static @Nullable NodeUpgradePhase phase(@Nullable JobRun run) {
        return run == null
                ? null
                : run.node().node().nodeUpgrades().phase(run.job().name());
    }

    /** What the files on the node say: the work counts for the first step, and the others follow at once. */
    private String report(@Nullable JobRun run, List<String> steps) {
        JsonObjectReader.Builder states = new JsonObjectReader.Builder();
        NodeUpgradePhase phase = phase(run);
        for (int i = 0; i < steps.size(); i++) {
            states.put(steps.get(i), state(run, phase, i == 0));
        }
        return new String(
                ImmutableJson.bytes(ImmutableJson.object(
                        "now", clock.instant().getEpochSecond(), "steps", states.build(), "message", "")),
                StandardCharsets.UTF_8);
    }

    private static String state(@Nullable JobRun run, @Nullable NodeUpgradePhase phase, boolean first) {
        if (run == null) {
            return "Waiting 0 0 -";
        }
        if (phase == NodeUpgradePhase.SUCCEEDED) {
            return "Succeeded " + run.since() + " 1 0";
        }
        if (!first || phase == NodeUpgradePhase.GONE) {
            return "Waiting 0 0 -";
        }
        return phase == NodeUpgradePhase.FAILED
                ? "Failed " + run.since() + " 3 " + RETRYABLE
                : phase == NodeUpgradePhase.FAILED_FOR_GOOD
                        ? "Failed " + run.since() + " 1 " + PERMANENT
                        : "Running " + run.since() + " 1 -";
    }
}
