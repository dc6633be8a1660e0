package dev.flotilla.nodeworker.k8sd.forward;

import dev.flotilla.nodeworker.thread.VirtualThreadRunner;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool.BorrowResult;
import dev.flotilla.schemas.id.ClusterKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Opens port-forwards to the proxy pods of workload clusters' nodes. */
public final class PodPortForwarder {
    private final Vertx vertx;
    private final WorkloadClusterPool clusters;

    public PodPortForwarder(Vertx vertx, WorkloadClusterPool clusters) {
        this.vertx = vertx;
        this.clusters = clusters;
    }

    private record ProxyPodRoute(BorrowResult borrowed, ProxyPodFinder.ProxyPodResult found) {}

    /** Opens a port-forward. A failure has the reason as message. */
    Future<PodPortForward> openForward(ClusterKey cluster, String node) {
        return VirtualThreadRunner.run(vertx, () -> lead(cluster, node))
                .compose(proxyPodRoute -> switch (proxyPodRoute.borrowed()) {
                    case BorrowResult.ClusterUnavailable clusterUnavailable ->
                        Future.failedFuture(clusterUnavailable.reason());
                    case BorrowResult.BorrowedConnection borrowedConnection ->
                        opened(borrowedConnection, proxyPodRoute.found());
                });
    }

    /** Borrows the cluster's connection for as long as the port-forward is open, so that it is not closed. */
    private ProxyPodRoute lead(ClusterKey cluster, String node) {
        BorrowResult borrowResult = clusters.borrow(cluster);
        return new ProxyPodRoute(
                borrowResult,
                borrowResult instanceof BorrowResult.BorrowedConnection borrowedConnection
                        ? ProxyPodFinder.findOnNode(borrowedConnection.api(), node)
                        : new ProxyPodFinder.ProxyPodResult.NoRunningPod("the cluster cannot be reached"));
    }

    private Future<PodPortForward> opened(
            BorrowResult.BorrowedConnection borrowedConnection, ProxyPodFinder.ProxyPodResult proxyPodResult) {
        return switch (proxyPodResult) {
            case ProxyPodFinder.ProxyPodResult.NoRunningPod noRunningPod -> {
                borrowedConnection.close();
                yield Future.failedFuture(noRunningPod.reason());
            }
            case ProxyPodFinder.ProxyPodResult.RunningPod pod ->
                ApiServerWebSocket.open(vertx, borrowedConnection.api(), pod.path(), PodPortForward.PROTOCOL)
                        .map(socket -> new PodPortForward(socket, () -> giveBack(borrowedConnection)))
                        .onFailure(failure -> giveBack(borrowedConnection));
        };
    }

    /** Returns the connection on another thread, because that may block. */
    private void giveBack(BorrowResult.BorrowedConnection borrowedConnection) {
        Thread.ofVirtual().name("flotilla-node-client").start(borrowedConnection::close);
    }

    /** Creates a relay through which a client on this machine reaches the k8sd of a node. */
    public LoopbackRelay createRelay(ClusterKey cluster, String node) {
        return new LoopbackRelay(vertx, () -> openForward(cluster, node));
    }
}
