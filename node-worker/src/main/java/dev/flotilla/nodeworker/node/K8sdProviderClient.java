package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.nodeworker.k8sd.K8sdEndpoint;
import dev.flotilla.nodeworker.k8sd.K8sdRequest;
import dev.flotilla.nodeworker.k8sd.K8sdRequestLog;
import dev.flotilla.nodeworker.k8sd.K8sdRequestResult;
import dev.flotilla.nodeworker.k8sd.K8sdResultClassifier;
import dev.flotilla.nodeworker.k8sd.K8sdRoute;
import dev.flotilla.nodeworker.k8sd.NodeTransports;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePin;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The client of the node's k8sd in one attempt: finds the route, pins the certificate at first contact, and
 * classifies the results. Runs in one context; its connections stay open until they are closed.
 */
final class K8sdProviderClient implements UpgradeProviderClient {
    private final MachineKey machine;
    private final SerialTaskExecutor tasks;
    private final NodeLocator nodeLocator;
    private final K8sdRouteResolver routeResolver;
    private final NodeTransports nodeTransports;
    private final K8sdRequestLog requestLog = new K8sdRequestLog();

    K8sdProviderClient(
            MachineKey machine,
            SerialTaskExecutor tasks,
            NodeLocator nodeLocator,
            K8sdRouteResolver routeResolver,
            NodeTransports nodeTransports) {
        this.machine = machine;
        this.tasks = tasks;
        this.nodeLocator = nodeLocator;
        this.routeResolver = routeResolver;
        this.nodeTransports = nodeTransports;
    }

    @Override
    public Future<ConnectResult> connect() {
        return probe().compose(result -> {
                    if (result instanceof K8sdRequestResult.RequestNotSent && routeResolver.mayListenElsewhere()) {
                        return probe();
                    }
                    if (!K8sdResultClassifier.isTokenRejected(result)
                            && !(result instanceof K8sdRequestResult.UntrustedCertificate)) {
                        return Future.succeededFuture(result);
                    }
                    // Token and pin may have been replaced since they were read.
                    invalidateCredentials();
                    return probe();
                })
                .map(result -> K8sdResultClassifier.classifyConnect(
                        result instanceof K8sdRequestResult.UntrustedCertificate untrusted
                                ? explainMismatch(untrusted)
                                : result));
    }

    private Future<K8sdRequestResult> probe() {
        return send(K8sdRequest.probe(), () -> true);
    }

    private K8sdRequestResult explainMismatch(K8sdRequestResult.UntrustedCertificate untrusted) {
        return new K8sdRequestResult.UntrustedCertificate(untrusted.reason()
                + ", and got no token; if the new certificate is right: flotilla machine trust --reset " + machine);
    }

    @Override
    public Future<CallResult> callUpgrade(UpgradeTarget target, BooleanSupplier inTime) {
        return send(K8sdRequest.refresh(target), inTime).map(result -> {
            if (!K8sdResultClassifier.isTokenRejected(result)) {
                return K8sdResultClassifier.classifyCall(result);
            }
            // The token was accepted before the guards were set, so it was replaced since. Nothing was done.
            invalidateCredentials();
            return new CallResult.NotSent("the node token is read again");
        });
    }

    @Override
    public Future<ChangeStatus> pollChange(String changeId) {
        return send(K8sdRequest.status(changeId), () -> true).map(result -> {
            if (K8sdResultClassifier.isTokenRejected(result)) {
                invalidateCredentials();
            }
            return K8sdResultClassifier.classifyStatus(changeId, result);
        });
    }

    /** A refresh is never interrupted. */
    @Override
    public Future<ChangeStatus> abortChange(String changeId) {
        return pollChange(changeId);
    }

    @Override
    public NodeInspection completeInspection(NodeInspection inspection) {
        return inspection;
    }

    private Future<K8sdRequestResult> send(K8sdRequest request, BooleanSupplier inTime) {
        return findRoute()
                .compose(route -> route instanceof K8sdRoute.UnpinnedRoute unpinned
                        ? sendAfterPinning(unpinned.endpoint(), request, inTime)
                        : sendOver(route, request, inTime))
                .onSuccess(result -> requestLog.add(request, result));
    }

    private Future<K8sdRequestResult> sendAfterPinning(
            K8sdEndpoint endpoint, K8sdRequest request, BooleanSupplier inTime) {
        return nodeTransports
                .readCertificate(endpoint)
                .transform(read -> read.failed()
                        ? Future.succeededFuture(
                                "its certificate could not be read: " + RootCauseMessage.describe(read.cause()))
                        : pinCertificate(read.result()))
                .compose(problem -> problem == null
                        ? findRoute().compose(route -> sendOver(route, request, inTime))
                        : notSent(problem));
    }

    private Future<K8sdRequestResult> sendOver(K8sdRoute route, K8sdRequest request, BooleanSupplier inTime) {
        return switch (route) {
            case K8sdRoute.TrustedRoute trustedRoute -> nodeTransports.send(trustedRoute, request, inTime);
            case K8sdRoute.UnpinnedRoute unpinnedRoute -> notSent("its certificate is not pinned");
            case K8sdRoute.NoRoute noRoute -> notSent(noRoute.reason());
        };
    }

    private static Future<K8sdRequestResult> notSent(String reason) {
        return Future.succeededFuture(new K8sdRequestResult.RequestNotSent(reason));
    }

    private Future<K8sdRoute> findRoute() {
        // This runs for each request to the node, so cached values are used without queuing.
        NodeReference reference = tasks.isIdle() ? nodeLocator.cachedReference() : null;
        K8sdRoute cached = reference == null ? null : routeResolver.cachedRoute(reference);
        return cached != null
                ? Future.succeededFuture(cached)
                : tasks.submit(
                        () -> nodeLocator.<K8sdRoute>withNode(routeResolver::resolveRoute, K8sdRoute.NoRoute::new));
    }

    private Future<@Nullable String> pinCertificate(CertificatePin shown) {
        return tasks.submit(() -> nodeLocator.<@Nullable String>withNode(
                reference -> routeResolver.pinCertificate(reference, shown), reason -> reason));
    }

    private void invalidateCredentials() {
        NodeReference reference = nodeLocator.cachedReference();
        if (reference != null) {
            routeResolver.invalidateCredentials(reference);
        }
        routeResolver.mayListenElsewhere();
    }

    @Override
    public List<String> lastRequests() {
        return requestLog.lines();
    }

    @Override
    public void close() {
        nodeTransports.close();
    }
}
