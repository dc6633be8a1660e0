package dev.flotilla.nodeworker.fault;

import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.nodeworker.config.SiteUpgradeSettings;
import dev.flotilla.nodeworker.node.NodeUpgraderFactory;
import dev.flotilla.nodeworker.node.SiteClusters;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.embedded.EmbeddedCluster;
import dev.flotilla.simulator.embedded.EmbeddedFleet;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One cluster with simulated nodes behind real HTTPS, the real node upgraders of a worker, and one clock that moves
 * only on demand.
 */
final class FaultTestBed implements AutoCloseable {
    static final String SITE = "north";
    static final String CLUSTER = "c";
    static final UpgradeTarget REVISION = new UpgradeTarget.Revision("3100");
    static final UpgradeTarget CHANNEL = new UpgradeTarget.Channel("1.33-classic/stable");
    static final UpgradeTarget PATH = new UpgradeTarget.LocalPath("/opt/k8s.snap");

    final EmbeddedFleet fleet;
    private final Vertx vertx;
    private final AtomicLong clock;
    private final SiteClusters siteClusters;
    private final NodeUpgraderFactory nodeUpgraders;

    UpgradeTarget target = REVISION;

    @Nullable
    String version;

    @Nullable
    String learned;

    boolean isCancelled;
    /** Time between the fault and the attempt. */
    Duration headStart = Duration.ZERO;

    Duration allowed = Duration.ofHours(1);
    EmbeddedNode node;

    /** What all test beds share, because it takes long to create. */
    record SharedTestResources(Vertx vertx, CertificateAuthority authority, KeyAndCertificate k8sd) {
        static SharedTestResources make() throws Exception {
            CertificateAuthority authority = CertificateAuthority.create("sites");
            return new SharedTestResources(Vertx.vertx(), authority, authority.issue("k8sd"));
        }
    }

    FaultTestBed(SharedTestResources sharedTestResources, WorkloadClusterSpec cluster) throws Exception {
        this.vertx = sharedTestResources.vertx();
        this.clock = new AtomicLong(System.currentTimeMillis());
        EmbeddedFleetSpec plan =
                new EmbeddedFleetSpec(List.of(new EmbeddedFleetSpec.EmbeddedSiteSpec(SITE, List.of(cluster))), 1, 1);
        this.fleet = get(EmbeddedFleet.start(
                vertx,
                plan,
                sharedTestResources.k8sd().key(),
                sharedTestResources.k8sd().certificate(),
                sharedTestResources.authority().certificate(),
                () -> Instant.ofEpochMilli(clock.get())));
        on(() -> {
            fleet.pinAllCertificates();
            return true;
        });
        this.siteClusters = new SiteClusters(
                vertx,
                Config.fromKubeconfig(Objects.requireNonNull(fleet.kubeconfigs().get(SITE))),
                SiteUpgradeSettings.DEFAULT,
                () -> Instant.ofEpochMilli(clock.get()),
                () -> TimeUnit.MILLISECONDS.toNanos(clock.get()));
        this.nodeUpgraders = new NodeUpgraderFactory(vertx, siteClusters, new HostPort("127.0.0.1", fleet.k8sdPort()));
        this.node = worker(0);
    }

    EmbeddedCluster cluster() {
        return fleet.clusters().get(0);
    }

    EmbeddedNode worker(int number) {
        return named(CLUSTER + "-w-" + number);
    }

    EmbeddedNode member(int number) {
        return named(CLUSTER + "-cp-" + number);
    }

    private EmbeddedNode named(String name) {
        return fleet.nodes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    NodeUpgraderFactory nodeUpgraders() {
        return nodeUpgraders;
    }

    ClockReading readClocks() {
        return new ClockReading(clock.get(), clock.get());
    }

    /** Moves the clock. */
    void pass(Duration time) throws Exception {
        clock.addAndGet(time.toMillis());
        on(() -> true);
    }

    <T> T on(Callable<T> action) throws Exception {
        return get(fleet.runOnEventLoop(action));
    }

    UpgradeAttemptParameters attemptParameters(long attempt) throws Exception {
        return new UpgradeAttemptParameters(node.machine(), on(node::uid), attempt, node.role(), 1, "0/here");
    }

    WorkerCommand.UpgradeMachine command(long attempt) throws Exception {
        return new WorkerCommand.UpgradeMachine(
                node.machine(),
                on(node::uid),
                attempt,
                node.role(),
                target,
                version,
                learned,
                node.role() == MachineRole.WORKER ? 1 : 0,
                Instant.ofEpochMilli(clock.get()).plus(allowed));
    }

    static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        siteClusters.close();
        fleet.stop().toCompletionStage().toCompletableFuture().join();
    }
}
