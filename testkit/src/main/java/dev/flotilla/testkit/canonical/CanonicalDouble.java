package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A double of Canonical's three controllers, on an API server: reconciles everything, a turn after the other, on one thread as
 * each of theirs does. Nodes are asked in a {@link RefreshLedger}.
 */
public final class CanonicalDouble implements AutoCloseable {
    private final KubeApiClient api;
    private final MachineController machines;
    private final DeploymentController deployments;
    private final ControlPlaneController controlPlanes;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong turns = new AtomicLong();
    private final Thread thread;

    private CanonicalDouble(KubeApiClient api, RefreshLedger nodes, long seed, Duration pause) {
        Marks marks = new Marks(api);
        this.api = api;
        this.machines = new MachineController(marks, nodes);
        this.deployments = new DeploymentController(marks);
        this.controlPlanes = new ControlPlaneController(marks, seed);
        this.thread = Thread.ofVirtual().name("canonical-double").unstarted(() -> work(pause));
    }

    /**
     * Starts it.
     *
     * @param seed of the order in which it takes the members of a control plane
     * @param pause between two turns
     */
    public static CanonicalDouble start(KubeApiClient api, RefreshLedger nodes, long seed, Duration pause) {
        CanonicalDouble started = new CanonicalDouble(api, nodes, seed, pause);
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
                List<KubeObject> all = list(Place.MACHINES);
                list(Place.DEPLOYMENTS).forEach(each -> deployments.reconcile(each, all));
                list(Place.CONTROL_PLANES).forEach(each -> controlPlanes.reconcile(each, all));
                list(Place.MACHINES).forEach(machines::reconcile);
                turns.incrementAndGet();
            } while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<KubeObject> list(Place place) {
        return api.listPage(place.all(), "", "") instanceof KubeResponse.SuccessResponse successResponse
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
