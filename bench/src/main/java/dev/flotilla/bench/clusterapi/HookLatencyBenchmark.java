package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.clusterapi.HookCaller.HookCall;
import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.watcher.ManagementApiServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.kube.KubeOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The hooks with many UpgradeTasks on a real API server. Meanwhile statuses of tasks are written, as the watcher does.
 */
final class HookLatencyBenchmark implements Benchmark {
    static final List<String> IDS = List.of("H2", "H3", "H4a", "H4b", "H4c", "H4d");

    private static final int PER_SECOND = 20;

    /** What 1,000 machines cause that wait at gates: each is asked for every 20 s. */
    private static final int WAITING_PER_SECOND = 50;

    private static final int WRITES_PER_SECOND = 10;
    private static final double FLOOR = 100;
    private static final double GOAL = 25;
    private static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/";
    private static final String TASKS = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/upgradetasks";
    private static final String PATCH = "\"JSONMergePatch\"";
    private static final String WAITS = "waits at gate";
    private static final String IN_PROGRESS = "\"retryAfterSeconds\":";

    private final int machines;
    private final int calls;
    private final int warmUp;

    /** A process that has answered nothing yet answers its first calls more slowly than they come: they and those behind them do not count. */
    private final int notCounted;

    HookLatencyBenchmark(boolean tiny) {
        this.machines = tiny ? 20 : 1_000;
        this.calls = tiny ? 20 : 600;
        this.warmUp = tiny ? 5 : 200;
        this.notCounted = tiny ? 10 : 300;
    }

    @Override
    public List<String> ids() {
        return IDS;
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        ManagementApiServer.requireTestBed();
        try (KubeCluster cluster =
                KubeCluster.start(KubeOptions.apiServer()).withClusterApi().withFlotilla()) {
            for (String namespace : List.of(HookRequests.NAMESPACE, "flotilla")) {
                cluster.apply(
                        "/api/v1/namespaces/" + namespace,
                        "{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
            }
            for (int i = 0; i < machines; i++) {
                createMachine(cluster, nameOf(i));
            }
            try (MeasuredExtension extension = MeasuredExtension.start(cluster.kubeconfig());
                    KubeApiClient administrator = ManagementApiServer.administrator(cluster.kubeconfig())) {
                measure(extension.caller(), cluster, administrator, measurements);
            }
        }
    }

    private void measure(HookCaller caller, KubeCluster cluster, KubeApiClient administrator, Measurements measurements)
            throws InterruptedException {
        QuietestRound justStarted =
                QuietestRound.measureOnce(round -> createTasks(caller).subList(notCounted, machines));
        QuietestRound created = QuietestRound.measure(round -> {
            cluster.delete(TASKS);
            return createTasks(caller);
        });
        List<KubeObject> tasks = readTasks(administrator);
        tasks.forEach(task -> writeStatus(cluster, task, "machine"));
        try (ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor()) {
            AtomicInteger next = new AtomicInteger();
            var unused = writer.scheduleAtFixedRate(
                    () -> {
                        int write = next.getAndIncrement();
                        writeStatus(cluster, tasks.get(write % tasks.size()), write % 2 == 0 ? "window" : "machine");
                    },
                    0,
                    TimeUnit.SECONDS.toMillis(1) / WRITES_PER_SECOND,
                    TimeUnit.MILLISECONDS);
            String conditions = tasks.size() + " UpgradeTasks";
            caller.measure(warmUp, PER_SECOND, PATCH, i -> HookRequests.canUpdateMachine(nameOf(i % machines)));
            new HookLatency("H2", "CanUpdateMachine, p99", FLOOR, GOAL)
                    .addTo(
                            measurements,
                            measure(caller, PATCH, HookRequests::canUpdateMachine, PER_SECOND),
                            conditions);
            new HookLatency("H3", "CanUpdateMachineSet, p99", FLOOR, GOAL)
                    .addTo(
                            measurements,
                            measure(caller, PATCH, HookRequests::canUpdateMachineSet, PER_SECOND),
                            conditions);
            new HookLatency("H4a", "UpdateMachine that creates an UpgradeTask, p99", FLOOR, GOAL)
                    .addTo(measurements, created, tasks.size() + " UpgradeTasks at the end");
            new HookLatency("H4b", "UpdateMachine of a machine that waits, p99", FLOOR, GOAL)
                    .addTo(measurements, measure(caller, WAITS, HookRequests::updateMachine, PER_SECOND), conditions);
            new HookLatency(
                            "H4c",
                            "UpdateMachine of a machine that waits, " + WAITING_PER_SECOND + " calls a second, p99",
                            FLOOR,
                            GOAL)
                    .addTo(
                            measurements,
                            measure(caller, WAITS, HookRequests::updateMachine, WAITING_PER_SECOND),
                            conditions);
            writer.shutdownNow();
            new HookLatency("H4d", "H4a in a process that has just started, p99", FLOOR, GOAL)
                    .addTo(measurements, justStarted, "its calls " + (notCounted + 1) + " to " + machines);
        }
    }

    private List<Double> createTasks(HookCaller caller) throws InterruptedException {
        return caller.measure(machines, PER_SECOND, IN_PROGRESS, i -> HookRequests.updateMachine(nameOf(i)));
    }

    private QuietestRound measure(HookCaller caller, String expected, Function<String, HookCall> call, int perSecond)
            throws InterruptedException {
        return QuietestRound.measure(round -> caller.measure(
                calls * perSecond / PER_SECOND, perSecond, expected, i -> call.apply(nameOf(i % machines))));
    }

    private static String nameOf(int machine) {
        return "blue-workers-" + machine;
    }

    private static void createMachine(KubeCluster cluster, String name) {
        cluster.apply(MACHINES + name, """
            {apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, metadata: {name: %1$s, namespace: fleet,
               labels: {cluster.x-k8s.io/cluster-name: blue, cluster.x-k8s.io/deployment-name: blue-workers},
               annotations: {in-place-updates.internal.cluster.x-k8s.io/update-in-progress: ''}},
             spec: {clusterName: blue, version: %2$s,
               bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: %1$s}},
               infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DevMachine, name: %1$s}}}""".formatted(name, HookRequests.VERSION));
    }

    private static void writeStatus(KubeCluster cluster, KubeObject task, String gate) {
        String machine = task.texts("spec", "machines").getFirst();
        cluster.merge(TASKS + "/" + task.name() + "/status", """
            {"status": {"phase": "Waiting", "machines": [{"name": "%s", "state": "Waiting", "gate": "%s"}]}}""".formatted(machine, gate));
    }

    private List<KubeObject> readTasks(KubeApiClient administrator) {
        List<KubeObject> tasks = new ArrayList<>();
        String problem = administrator.forEachObject(TASKS, "", machines, tasks::add);
        if (problem != null || tasks.size() != machines) {
            throw new IllegalStateException("there are " + tasks.size() + " UpgradeTasks instead of " + machines + " "
                    + (problem == null ? "" : problem));
        }
        return tasks;
    }
}
