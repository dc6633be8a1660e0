package dev.flotilla.nodeupgrader.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeupgrader.UpgraderListenerStub;
import dev.flotilla.nodeupgrader.cluster.WorkloadClients;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An API server that has no NodeUpgrade, and does not answer before the test lets it. */
class OpenUpgradesTest {
    private static final long PATIENCE_SECONDS = 30;

    private final Semaphore reads = new Semaphore(0);
    private final Semaphore answers = new Semaphore(0);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger opened = new AtomicInteger();
    private HttpServer server;
    private KubeApiClient management;
    private WorkloadClients clients;
    private OpenUpgrades openUpgrades;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            reads.release();
            answers.acquireUninterruptibly();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
        management = new KubeApiClient(
                new ConfigBuilder(Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestTimeout(60_000)
                        .build(),
                4);
        clients = new WorkloadClients(management, Duration.ofSeconds(10), System::nanoTime);
        Recorder recorder = new Recorder();
        WorkloadClusters workloadClusters =
                new WorkloadClusters(clients, "flotilla", InstantSource.system(), System::nanoTime);
        openUpgrades = new OpenUpgrades(
                new NodeUpgradeReconciler(
                        management,
                        workloadClusters,
                        new EndedUpgradeRemover(
                                management, workloadClusters, Duration.ofDays(7), InstantSource.system(), recorder),
                        InstantSource.system(),
                        recorder),
                recorder,
                Duration.ofMillis(10));
    }

    @AfterEach
    void stop() {
        answers.release(100);
        openUpgrades.close();
        clients.close();
        management.close();
        server.stop(0);
    }

    private boolean awaitRead() throws InterruptedException {
        return reads.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void upgradeThatIsSeenWhileItIsFoundMissingIsReadAgain() throws Exception {
        openUpgrades.follow("fleet", "w-1");
        assertThat(awaitRead()).isTrue();
        // It was created again after the API server has read that there is none.
        openUpgrades.follow("fleet", "w-1");
        answers.release();
        assertThat(awaitRead()).isTrue();
        answers.release();
        assertThat(closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(opened).hasValue(1);
        assertThat(reads.availablePermits()).isZero();
    }

    @Test
    void upgradeThatHasEndedIsFollowedAnew() throws Exception {
        openUpgrades.follow("fleet", "w-1");
        answers.release(1);
        assertThat(closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(awaitRead()).isTrue();
        openUpgrades.follow("fleet", "w-1");
        assertThat(awaitRead()).isTrue();
    }

    private final class Recorder extends UpgraderListenerStub {
        @Override
        public void upgradeOpened(String namespaceAndName, int count) {
            opened.incrementAndGet();
        }

        @Override
        public void upgradeClosed(String namespaceAndName, int count) {
            closed.countDown();
        }
    }
}
