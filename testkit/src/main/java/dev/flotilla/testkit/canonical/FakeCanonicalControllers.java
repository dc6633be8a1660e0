package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A test double of Canonical's three controllers on an API server: reconciles everything in rounds, on one thread like
 * each real controller. Refresh requests go to a {@link RefreshRequestLedger}.
 */
public final class FakeCanonicalControllers implements AutoCloseable {
    private final KubeApiClient api;
    private final FakeMachineController machines;
    private final FakeMachineDeploymentController deployments;
    private final FakeControlPlaneController controlPlanes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicLong rounds = new AtomicLong();
    private final Thread thread;

    private FakeCanonicalControllers(KubeApiClient api, RefreshRequestLedger nodes, long seed, Duration pause) {
        ProviderAnnotations providerAnnotations = new ProviderAnnotations(api);
        this.api = api;
        this.machines = new FakeMachineController(providerAnnotations, nodes);
        this.deployments = new FakeMachineDeploymentController(providerAnnotations);
        this.controlPlanes = new FakeControlPlaneController(providerAnnotations, seed);
        this.thread = Thread.ofVirtual().name("canonical-double").unstarted(() -> reconcileInRounds(pause));
    }

    /**
     * Starts the controllers.
     *
     * @param seed of the order in which members of a control plane are chosen
     * @param pause between two rounds
     */
    public static FakeCanonicalControllers start(
            KubeApiClient api, RefreshRequestLedger nodes, long seed, Duration pause) {
        FakeCanonicalControllers started = new FakeCanonicalControllers(api, nodes, seed, pause);
        started.thread.start();
        return started;
    }

    /** The number of completed rounds. */
    public long rounds() {
        return rounds.get();
    }

    private void reconcileInRounds(Duration pause) {
        try {
            do {
                List<KubeObject> all = list(ControllerResource.MACHINES);
                list(ControllerResource.DEPLOYMENTS).forEach(owner -> deployments.reconcile(owner, all));
                list(ControllerResource.CONTROL_PLANES).forEach(owner -> controlPlanes.reconcile(owner, all));
                list(ControllerResource.MACHINES).forEach(machines::reconcile);
                rounds.incrementAndGet();
            } while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<KubeObject> list(ControllerResource controllerResource) {
        return api.listPage(controllerResource.collectionPath(), "", "")
                        instanceof KubeResponse.SuccessResponse successResponse
                ? successResponse.object().list("items")
                : List.of();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
