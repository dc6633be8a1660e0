package dev.flotilla.nodeworker.site;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.nodeworker.k8sd.K8sdRequest;
import dev.flotilla.nodeworker.k8sd.K8sdRequestResult;
import dev.flotilla.nodeworker.k8sd.K8sdResultClassifier;
import dev.flotilla.nodeworker.node.K8sdEndpoint;
import dev.flotilla.nodeworker.node.K8sdRoute;
import dev.flotilla.nodeworker.node.NodeClient;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.PreconditionResult;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node upgrader of one attempt: a node client for the machine's objects and connections to its k8sd, which stay
 * open as long as it is used. Runs in one context.
 */
final class K8sdNodeUpgrader implements NodeUpgrader {
    private final Context context;
    private final NodeClient nodeClient;
    private final MachineKey machine;
    private final NodeTransports nodeTransports;
    private Future<Void> ours = Future.succeededFuture();
    private final K8sdRequestLog k8sdRequestLog = new K8sdRequestLog();

    K8sdNodeUpgrader(
            Context context,
            NodeClient nodeClient,
            MachineKey machine,
            NodeTransports nodeTransports,
            boolean resumed) {
        this.context = context;
        this.nodeClient = nodeClient;
        this.machine = machine;
        this.nodeTransports = nodeTransports;
        if (resumed) {
            context.runOnContext(go -> ours = nodeClient.takeOverGuards());
        }
    }

    private <T> Future<T> here(Supplier<Future<T>> question) {
        Promise<T> answer = Promise.promise();
        context.runOnContext(
                go -> Future.succeededFuture().compose(begun -> question.get()).onComplete(answer));
        return answer.future();
    }

    @Override
    public Future<NodeInspection> inspectNode(@Nullable Instant changedAt) {
        return here(() -> nodeClient.inspectNode(changedAt));
    }

    @Override
    public Future<ConnectResult> connectToK8sd() {
        return here(() -> ask(K8sdRequest.probe(), () -> true)
                .compose(k8sdRequestResult -> {
                    if (k8sdRequestResult instanceof K8sdRequestResult.RequestNotSent && nodeClient.retryOtherPort()) {
                        return ask(K8sdRequest.probe(), () -> true);
                    }
                    if (!K8sdResultClassifier.isTokenRejected(k8sdRequestResult)
                            && !(k8sdRequestResult instanceof K8sdRequestResult.UntrustedCertificate)) {
                        return Future.succeededFuture(k8sdRequestResult);
                    }
                    // Token and pin may have been replaced since they were read.
                    nodeClient.invalidateCredentials();
                    return ask(K8sdRequest.probe(), () -> true);
                })
                .map(k8sdRequestResult -> K8sdResultClassifier.classifyConnect(
                        k8sdRequestResult instanceof K8sdRequestResult.UntrustedCertificate other
                                ? explainMismatch(other)
                                : k8sdRequestResult)));
    }

    private K8sdRequestResult explainMismatch(K8sdRequestResult.UntrustedCertificate other) {
        return new K8sdRequestResult.UntrustedCertificate(other.reason()
                + ", and got no token; if the new certificate is right: flotilla machine trust --reset " + machine);
    }

    @Override
    public Future<List<FailedCheck>> runChecks(List<HealthCheck> checks) {
        return here(() -> nodeClient.runChecks(checks));
    }

    @Override
    public Future<PreconditionResult> setGuards(Instant until, Runnable drains) {
        return here(() -> nodeClient.setGuards(until, drains).map(PreconditionResult::new));
    }

    @Override
    public Future<PreconditionResult> checkPreconditions() {
        return here(() -> nodeClient.checkPreconditions().map(PreconditionResult::new));
    }

    @Override
    public Future<CallResult> callRefresh(UpgradeTarget target, BooleanSupplier inTime) {
        return here(() -> ask(K8sdRequest.refresh(target), inTime).map(k8sdRequestResult -> {
            if (!K8sdResultClassifier.isTokenRejected(k8sdRequestResult)) {
                return K8sdResultClassifier.classifyCall(k8sdRequestResult);
            }
            // The token was accepted before the guards were set, so it was replaced since. Nothing was done.
            nodeClient.invalidateCredentials();
            return new CallResult.NotSent("the node token is read again");
        }));
    }

    @Override
    public Future<ChangeStatus> pollChange(String changeId) {
        return here(() -> ask(K8sdRequest.status(changeId), () -> true).map(k8sdRequestResult -> {
            if (K8sdResultClassifier.isTokenRejected(k8sdRequestResult)) {
                nodeClient.invalidateCredentials();
            }
            return K8sdResultClassifier.classifyStatus(changeId, k8sdRequestResult);
        }));
    }

    private Future<K8sdRequestResult> ask(K8sdRequest k8sdRequest, BooleanSupplier inTime) {
        return way(k8sdRequest, inTime)
                .onSuccess(k8sdRequestResult -> k8sdRequestLog.add(k8sdRequest, k8sdRequestResult));
    }

    private Future<K8sdRequestResult> way(K8sdRequest k8sdRequest, BooleanSupplier inTime) {
        return nodeClient
                .findRoute()
                .compose(k8sdRoute -> k8sdRoute instanceof K8sdRoute.UnpinnedRoute first
                        ? met(first.endpoint(), k8sdRequest, inTime)
                        : asked(k8sdRoute, k8sdRequest, inTime));
    }

    private Future<K8sdRequestResult> met(K8sdEndpoint k8sdEndpoint, K8sdRequest k8sdRequest, BooleanSupplier inTime) {
        return nodeTransports
                .readCertificate(k8sdEndpoint)
                .compose(nodeClient::pinCertificate)
                .otherwise(failure -> "its certificate could not be read: " + RootCauseMessage.describe(failure))
                .compose(problem -> problem == null
                        ? nodeClient.findRoute().compose(k8sdRoute -> asked(k8sdRoute, k8sdRequest, inTime))
                        : notSent(problem));
    }

    private Future<K8sdRequestResult> asked(K8sdRoute k8sdRoute, K8sdRequest k8sdRequest, BooleanSupplier inTime) {
        return switch (k8sdRoute) {
            case K8sdRoute.TrustedRoute trustedRoute -> nodeTransports.send(trustedRoute, k8sdRequest, inTime);
            case K8sdRoute.UnpinnedRoute first -> notSent("its certificate is not pinned");
            case K8sdRoute.NoRoute noRoute -> notSent(noRoute.reason());
        };
    }

    private static Future<K8sdRequestResult> notSent(String why) {
        return Future.succeededFuture(new K8sdRequestResult.RequestNotSent(why));
    }

    @Override
    public Future<FailureEvidence> collectEvidence() {
        return here(() -> nodeClient
                .collectEvidence()
                .map(objectEvidence -> new FailureEvidence(
                        objectEvidence.nodeConditions(), k8sdRequestLog.lines(), objectEvidence.leftBehind())));
    }

    @Override
    public Future<Void> cleanUp() {
        return here(() -> {
            if (ours.failed()) {
                ours = nodeClient.takeOverGuards();
            }
            return ours.compose(taken -> nodeClient.cleanUp());
        });
    }

    @Override
    public void releaseNode() {
        context.runOnContext(go -> nodeTransports.close());
    }
}
