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
 * A double of Canonical's three controllers, on an API server: reconciles everything, a turn after the other, on one thread as
 * each of theirs does. Nodes are asked in a {@link RefreshRequestLedger}.
 */
public final class FakeCanonicalControllers implements AutoCloseable {
    private final KubeApiClient api;
    private final FakeMachineController machines;
    private final FakeMachineDeploymentController deployments;
    private final FakeControlPlaneController controlPlanes;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong turns = new AtomicLong();
    private final Thread thread;

    private FakeCanonicalControllers(KubeApiClient api, RefreshRequestLedger nodes, long seed, Duration pause) {
        ProviderAnnotations providerAnnotations = new ProviderAnnotations(api);
        this.api = api;
        this.machines = new FakeMachineController(providerAnnotations, nodes);
        this.deployments = new FakeMachineDeploymentController(providerAnnotations);
        this.controlPlanes = new FakeControlPlaneController(providerAnnotations, seed);
        this.thread = Thread.ofVirtual().name("canonical-double").unstarted(() -> work(pause));
    }

    /**
     * Starts it.
     *
     * @param seed of the order in which it takes the members of a control plane
     * @param pause between two turns
     */
    public static FakeCanonicalControllers start(
            KubeApiClient api, RefreshRequestLedger nodes, long seed, Duration pause) {
        FakeCanonicalControllers started = new FakeCanonicalControllers(api, nodes, seed, pause);
        started.thread.start();
        return started;
    }

    /** How often it has looked at everything. */
    public long turns() {
        return turns.get();
    }

    private void work(Duration pause) {
        try {
            do {
                List<KubeObject> all = list(ControllerResource.MACHINES);
                list(ControllerResource.DEPLOYMENTS).forEach(each -> deployments.reconcile(each, all));
                list(ControllerResource.CONTROL_PLANES).forEach(each -> controlPlanes.reconcile(each, all));
                list(ControllerResource.MACHINES).forEach(machines::reconcile);
                turns.incrementAndGet();
            } while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS));
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
        over.countDown();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
