package dev.flotilla.bench.watcher;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.BenchmarkFleet;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.ReplicaRoleProbe;
import dev.flotilla.bench.harness.RowSender;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.simulator.embedded.EmbeddedCluster;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.testkit.kube.KubeCluster;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.EmbeddedSites;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads and writes of a real API server for an upgrade by an annotation on the Machine. Orchestrator, broker, worker
 * and watcher are real processes; nodes and workload clusters are simulated.
 */
final class AnnotatedUpgradesBenchmark implements Benchmark {
    private static final int CLUSTER = 4;
    private static final double SPEED = 60;
    private static final String ADMINISTRATORS = "system:masters";
    private static final String WATCHER = "bench:watcher";
    private static final String WORKER = "bench:worker";
    private static final String CAPI = "cluster.x-k8s.io/v1beta2";
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    /** Number of checks without further writes after which status reporting is complete. */
    private static final int QUIET_CHECKS = 8;

    private final int machines;

    AnnotatedUpgradesBenchmark(boolean tiny) {
        this.machines = tiny ? 8 : 120;
    }

    @Override
    public List<String> ids() {
        return List.of("P10a", "P10b", "P10c", "P10g", "P11a", "P11b");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException, IOException {
        ManagementApiServer.requireTestBed();
        SitesSpec spec = new SitesSpec(1, machines / CLUSTER, machines, 0, 1, SPEED);
        SitesFleetLayout fleet = new SitesFleetLayout(spec);
        String site = fleet.sites().getFirst().name();
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start();
                EmbeddedSites sites = EmbeddedSites.start(
                        spec, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), kafkaTestBed.folder(), true);
                RowSender sender = RowSender.open(kafkaTestBed.bootstrap())) {
            KubeCluster management = sites.management(site);
            ApiServerAuditLog log = new ApiServerAuditLog(management.auditLog());
            kafkaTestBed.createTables(fleet.sites());
            ReplicaRoleProbe.awaitReplicaRole(kafkaTestBed.orchestrator("orchestrator", "256m"), "leader");
            BenchmarkFleet.sendPolicy(sender, machines);
            start(kafkaTestBed, "dev.flotilla.managementwatcher.Main", site, management, WATCHER);
            start(
                    kafkaTestBed,
                    "dev.flotilla.nodeworker.Main",
                    site,
                    management,
                    WORKER,
                    "--via",
                    Files.readString(kafkaTestBed.folder().resolve(EmbeddedSites.K8SD)),
                    "--ask-every",
                    Long.toString((long) (PollIntervalEstimator.DEFAULT_INTERVAL.toMillis() / SPEED)));
            try (KubeApiClient client = ManagementApiServer.administrator(management.kubeconfig())) {
                // The first run warms up and connects to every node.
                upgrade(client, fleet, log, 1);
                long from = log.length();
                SortedMap<String, Long> before = countReads(sites);
                upgrade(client, fleet, log, 2);
                addWrites(measurements, log.requests(WATCHER, from), log.requests(WORKER, from));
                addReads(
                        measurements,
                        log.requests(WATCHER, from),
                        log.requests(WORKER, from),
                        since(before, countReads(sites)));
            }
        }
    }

    private static void start(
            KafkaTestBed kafkaTestBed, String main, String site, KubeCluster management, String user, String... more)
            throws InterruptedException {
        String name = user.substring(user.indexOf(':') + 1);
        List<String> arguments = new ArrayList<>(List.of(
                "--bootstrap",
                kafkaTestBed.bootstrap(),
                "--instance",
                name,
                "--site",
                site,
                "--kubeconfig",
                management.kubeconfig(user, ADMINISTRATORS).toString()));
        arguments.addAll(List.of(more));
        ChildProcess child = kafkaTestBed.launch(
                name, List.of("-Xmx384m", "-XX:-UsePerfData"), main, arguments.toArray(String[]::new));
        child.awaitLine("ready at");
    }

    /** Annotates every Machine with a target, and waits until all show it and nothing more is written. */
    private void upgrade(KubeApiClient client, SitesFleetLayout fleet, ApiServerAuditLog log, int minor)
            throws InterruptedException, IOException {
        String option = "channel=" + SnapReleases.channel(minor);
        for (SitesFleetLayout.PlannedCluster cluster : fleet.clusters()) {
            for (MachineKey machine : cluster.machines()) {
                KubeResponse reply = client.mergePatch(
                        KubeApiPath.groupObject(CAPI, machine.namespace(), "machines", machine.name()),
                        annotation(option));
                if (!(reply instanceof KubeResponse.SuccessResponse)) {
                    throw new IllegalStateException("annotating " + machine + ": " + reply.problem());
                }
            }
        }
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (countDone(client, option) < machines) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(
                        "only " + countDone(client, option) + " of " + machines + " machines show " + option);
            }
            Thread.sleep(CHECK_INTERVAL.toMillis());
        }
        long length = -1;
        for (int checks = 0; checks < QUIET_CHECKS; checks++) {
            Thread.sleep(CHECK_INTERVAL.toMillis());
            long now = log.requests(WATCHER, 0).getOrDefault("create events", 0L)
                    + log.requests(WATCHER, 0).getOrDefault("patch machines/status", 0L);
            checks = now == length ? checks : 0;
            length = now;
        }
    }

    private static JsonObjectReader annotation(String option) {
        JsonObjectReader annotations = new JsonObjectReader.Builder()
                .put(AnnotationKeys.UPGRADE_TO, option)
                .build();
        return new JsonObjectReader.Builder()
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("annotations", annotations)
                                .build())
                .build();
    }

    private static int countDone(KubeApiClient client, String option) {
        List<String> done = new ArrayList<>();
        String problem = client.forEachObject(KubeApiPath.listPath(CAPI, "machines"), "", 10_000, machine -> {
            if (option.equals(machine.annotation(AnnotationKeys.RELEASE))
                    && machine.annotation(AnnotationKeys.UPGRADE_TO) == null) {
                done.add(String.valueOf(machine.text("metadata", "name")));
            }
        });
        if (problem != null) {
            throw new IllegalStateException("the machines cannot be listed: " + problem);
        }
        return done.size();
    }

    private static SortedMap<String, Long> countReads(EmbeddedSites sites) {
        SortedMap<String, Long> reads = new TreeMap<>();
        for (EmbeddedCluster cluster : sites.fleet().clusters()) {
            cluster.workload().requestCounter().requests().forEach((request, count) -> {
                if (request.startsWith("get ")) {
                    reads.merge(request, count, Long::sum);
                }
            });
        }
        return reads;
    }

    private static SortedMap<String, Long> since(SortedMap<String, Long> before, SortedMap<String, Long> now) {
        SortedMap<String, Long> more = new TreeMap<>();
        now.forEach((kind, count) -> more.put(kind, count - before.getOrDefault(kind, 0L)));
        return more;
    }

    private void addWrites(Measurements measurements, Map<String, Long> watcher, Map<String, Long> worker) {
        measurements.add(each(
                "P10a",
                "patches of the object per upgrade, by the watcher",
                watcher.getOrDefault("patch machines", 0L),
                "patches",
                3,
                2));
        measurements.add(each(
                "P10b",
                "patches of its status per upgrade",
                watcher.getOrDefault("patch machines/status", 0L),
                "patches",
                2,
                1));
        measurements.add(each("P10c", "Events per upgrade", watcher.getOrDefault("create events", 0L), "Events", 2, 1));
        measurements.add(each(
                "P10g",
                "patches of guards per upgrade, by the worker",
                worker.getOrDefault("patch machines", 0L),
                "patches",
                2,
                2));
    }

    private Measurement each(String id, String name, long all, String unit, double floor, double goal) {
        return Measurement.gatingMeasurement(
                id,
                name,
                machines + " Machines, each with its own intent; counted in the audit log",
                (double) all / machines,
                unit,
                BetterDirection.LOWER,
                floor,
                goal);
    }

    private void addReads(
            Measurements measurements,
            Map<String, Long> watcher,
            Map<String, Long> worker,
            SortedMap<String, Long> workload) {
        SortedMap<String, Long> management = new TreeMap<>();
        watcher.forEach((kind, count) -> addRead(management, kind, count));
        worker.forEach((kind, count) -> addRead(management, kind, count));
        measurements.add(read("P11a", "reads of the management API per upgrade, worker and watcher", management, 3, 1));
        measurements.add(read("P11b", "reads of the workload API per upgrade", workload, 6, 3));
    }

    /** Requests for API discovery are periodic and independent of upgrades, so they do not count. */
    private static void addRead(SortedMap<String, Long> reads, String kind, long count) {
        if (kind.startsWith("get ") && kind.length() > "get ".length()) {
            reads.merge(kind, count, Long::sum);
        }
    }

    private Measurement read(String id, String name, SortedMap<String, Long> reads, double floor, double goal) {
        String kinds = reads.entrySet().stream()
                .map(read -> String.format(
                        Locale.ROOT,
                        "%s %.2f",
                        read.getKey().substring("get ".length()),
                        (double) read.getValue() / machines))
                .collect(Collectors.joining(", "));
        long all = reads.values().stream().mapToLong(Long::longValue).sum();
        return Measurement.gatingMeasurement(
                id,
                name,
                "besides lists and watches: " + kinds,
                (double) all / machines,
                "reads",
                BetterDirection.LOWER,
                floor,
                goal);
    }
}
