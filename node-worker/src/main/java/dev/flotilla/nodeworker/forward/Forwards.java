package dev.flotilla.nodeworker.forward;

import dev.flotilla.nodeworker.Aside;
import dev.flotilla.nodeworker.workload.WorkloadClusters;
import dev.flotilla.nodeworker.workload.WorkloadClusters.Borrowed;
import dev.flotilla.schemas.id.ClusterKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Port-forwards to the proxy pods of workload clusters' nodes. */
public final class Forwards {
    private final Vertx vertx;
    private final WorkloadClusters clusters;

    public Forwards(Vertx vertx, WorkloadClusters clusters) {
        this.vertx = vertx;
        this.clusters = clusters;
    }

    private record Lead(Borrowed borrowed, ProxyPod.Found found) {}

    /** Opens one. A failure says why in words. */
    Future<Forward> open(ClusterKey cluster, String node) {
        return Aside.run(vertx, () -> lead(cluster, node)).compose(lead -> switch (lead.borrowed()) {
            case Borrowed.None none -> Future.failedFuture(none.why());
            case Borrowed.Open open -> opened(open, lead.found());
        });
    }

    /** The cluster's connection is in use as long as the forward is, so that nobody closes it meanwhile. */
    private Lead lead(ClusterKey cluster, String node) {
        Borrowed borrowed = clusters.borrow(cluster);
        return new Lead(
                borrowed,
                borrowed instanceof Borrowed.Open open
                        ? ProxyPod.on(open.api(), node)
                        : new ProxyPod.Found.None("the cluster cannot be reached"));
    }

    private Future<Forward> opened(Borrowed.Open open, ProxyPod.Found found) {
        return switch (found) {
            case ProxyPod.Found.None none -> {
                open.close();
                yield Future.failedFuture(none.why());
            }
            case ProxyPod.Found.Running pod ->
                ApiSocket.open(vertx, open.api(), pod.path(), Forward.PROTOCOL)
                        .map(socket -> new Forward(socket, () -> giveBack(open)))
                        .onFailure(failure -> giveBack(open));
        };
    }

    /** Closing what is idle then may block. */
    private void giveBack(Borrowed.Open open) {
        Thread.ofVirtual().name("flotilla-hands").start(open::close);
    }

    /** Where a client on this machine reaches the k8sd of a node. */
    public Relay relay(ClusterKey cluster, String node) {
        return new Relay(vertx, () -> open(cluster, node));
    }
}
