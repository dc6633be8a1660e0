package dev.flotilla.e2e.arena;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.nodeworker.Main;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import dev.flotilla.nodeworker.upgrade.WorkerLoop;
import dev.flotilla.nodeworker.upgrade.WorkerLoopListener;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.junit.LoopFailureExtension;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.tables.TopicCreator;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sites whose machines real workers upgrade, on the test's Kafka; a {@link FakeOrchestrator} admits attempts. */
public final class WorkerSitesFixture implements AutoCloseable {
    /** Nodes do five minutes of work in a few seconds. */
    private static final double SPEED = 120;

    /** Factor by which time passes faster for the worker that verifies at the end. */
    private static final int CLOCK_FACTOR = 20;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(150);

    private final Vertx vertx = Vertx.vertx();
    private final String bootstrap;
    private final Path folder;
    private final EmbeddedFleet fleet;
    private final List<ChildProcess> processes = new CopyOnWriteArrayList<>();
    private final List<Runnable> loops = new ArrayList<>();

    /** Makes equal sites, each with one cluster and a number of workers. */
    public WorkerSitesFixture(String name, String bootstrap, int sites, int workers) throws Exception {
        this.bootstrap = bootstrap;
        Path parent = Files.createDirectories(Path.of(System.getProperty("flotilla.e2e.folder", "target/e2e")));
        this.folder = Files.createTempDirectory(parent, name + "-");
        List<EmbeddedFleetSpec.EmbeddedSiteSpec> plans = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            plans.add(new EmbeddedFleetSpec.EmbeddedSiteSpec(
                    "site-" + i, List.of(WorkloadClusterSpec.withoutFaults("site-" + i + "-c", 1, workers))));
        }
        CertificateAuthority authority = CertificateAuthority.create("sites");
        KeyAndCertificate k8sd = authority.issue("k8sd");
        this.fleet = get(EmbeddedFleet.start(
                vertx,
                new EmbeddedFleetSpec(plans, 1, SPEED),
                k8sd.key(),
                k8sd.certificate(),
                authority.certificate()));
        runOnEventLoop(() -> {
            fleet.pinAllCertificates();
            return true;
        });
        for (Map.Entry<String, String> each : fleet.kubeconfigs().entrySet()) {
            Files.writeString(kubeconfig(each.getKey()), each.getValue());
        }
        TopicCreator.createTopics(
                bootstrap, plans.stream().map(plan -> new SiteId(plan.name())).toList());
    }

    private Path kubeconfig(String site) {
        return folder.resolve(site + ".kubeconfig");
    }

    public EmbeddedFleet fleet() {
        return fleet;
    }

    /** Runs an action on the fleet's event loop. */
    public <T> T runOnEventLoop(Callable<T> action) {
        return get(fleet.runOnEventLoop(action));
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the fleet does not answer", e);
        }
    }

    /** Starts a worker of a site as a process. */
    public ChildProcess startProcess(String site, String name, String... options) {
        List<String> all = new ArrayList<>(List.of("-Xmx96m"));
        all.addAll(List.of(options));
        ChildProcess process = FleetTestBed.startComponent(
                folder,
                name,
                ComponentClassPaths.own(),
                all,
                Main.class.getName(),
                List.of(
                        "--bootstrap",
                        bootstrap,
                        "--instance",
                        name,
                        "--site",
                        site,
                        "--kubeconfig",
                        kubeconfig(site).toString(),
                        "--via",
                        "127.0.0.1:" + fleet.k8sdPort(),
                        "--ask-every",
                        Long.toString(POLL_INTERVAL.toMillis())));
        processes.add(process);
        return process;
    }

    /** Nodes on which an attempt has left guard annotations or a cordon. */
    public List<String> staleGuards() {
        return runOnEventLoop(() -> fleet.nodes().stream()
                .filter(EmbeddedNode::hasAttemptLeftovers)
                .map(EmbeddedNode::name)
                .toList());
    }

    /** Starts a worker of a site in this process, with a clock that runs faster. */
    public void startFastWorker(String site) throws IOException {
        SiteClusters tools = new SiteClusters(
                vertx,
                Config.fromKubeconfig(Objects.requireNonNull(fleet.kubeconfigs().get(site))),
                SiteUpgradeSettings.DEFAULT,
                InstantSource.system(),
                System::nanoTime);
        WorkerLoop loop = new WorkerLoop(
                site + "-hasty",
                new SiteId(site),
                KafkaClientSettings.forLocalBroker(bootstrap),
                new Hasty(),
                new NodeUpgraderFactory(vertx, tools, new HostPort("127.0.0.1", fleet.k8sdPort())),
                new PollIntervalEstimator(POLL_INTERVAL.multipliedBy(CLOCK_FACTOR), new SplittableRandom(1)),
                new Silent(),
                false);
        loop.start();
        loops.add(loop::close);
        loops.add(tools::close);
    }

    private static final class Hasty implements ProcessClock {
        @Override
        public long wallMillis() {
            return ProcessClock.SYSTEM.wallMillis();
        }

        @Override
        public long monotonicNanos() {
            return CLOCK_FACTOR * ProcessClock.SYSTEM.monotonicNanos();
        }
    }

    private static final class Silent implements WorkerLoopListener {
        @Override
        public void attemptStarted(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void crashPointReached(UpgradeCrashPoint upgradeCrashPoint) {}

        @Override
        public void upgradeCalled(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void preparationCalled(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void changePolled(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void checksRun(UpgradeAttemptParameters upgradeAttemptParameters, List<FailedCheck> findings) {}

        @Override
        public void attemptEnded(UpgradeAttemptParameters upgradeAttemptParameters, AttemptReport report) {}

        @Override
        public void cleanupFailed(UpgradeAttemptParameters upgradeAttemptParameters, String why) {}

        @Override
        public void cleanedUp(UpgradeAttemptParameters upgradeAttemptParameters) {}

        @Override
        public void ownershipChanged(int partitions, int attempts) {}

        @Override
        public void kafkaFailed(String reason, String why) {}

        @Override
        public void loopFailed(Throwable bug) {
            LoopFailureExtension.addFailure(bug);
        }
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
        loops.forEach(Runnable::run);
        get(vertx.close());
    }
}
