package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.nodeworker.node.NodeLocator.NodeAction;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node upgrader of one attempt: the order of what is done to a machine's objects and through the client of its
 * provider. Actions on objects run one after another, on virtual threads; everything else runs in one context. Cleanup
 * stops a running drain.
 *
 * <p>An action that is not possible returns the reason as text: only a bug fails a future, and failed {@link #cleanUp},
 * which must be retried.
 */
final class AttemptNodeUpgrader implements NodeUpgrader {
    private final Context context;
    private final SerialTaskExecutor tasks;
    private final NodeLocator nodeLocator;
    private final AttemptNodeInspector nodeInspector;
    private final NodeCheckRunner nodeCheckRunner;
    private final UpgradePreconditions upgradePreconditions;
    private final NodePreparer nodePreparer;
    private final UpgradeProviderClient providerClient;

    private CountDownLatch drainHalt = new CountDownLatch(1);
    /** The end of taking over what an earlier worker of the attempt left. */
    private Future<Void> takenOver = Future.succeededFuture();

    AttemptNodeUpgrader(
            Context context,
            SerialTaskExecutor tasks,
            NodeLocator nodeLocator,
            AttemptNodeInspector nodeInspector,
            NodeCheckRunner nodeCheckRunner,
            UpgradePreconditions upgradePreconditions,
            NodePreparer nodePreparer,
            UpgradeProviderClient providerClient) {
        this.context = context;
        this.tasks = tasks;
        this.nodeLocator = nodeLocator;
        this.nodeInspector = nodeInspector;
        this.nodeCheckRunner = nodeCheckRunner;
        this.upgradePreconditions = upgradePreconditions;
        this.nodePreparer = nodePreparer;
        this.providerClient = providerClient;
    }

    /** Takes over what an earlier worker of the attempt left, before anything else is done. */
    void takeOver() {
        context.runOnContext(go -> takenOver = takeOverGuards());
    }

    private Future<Void> takeOverGuards() {
        return tasks.submit(nodePreparer::takeOverGuards).compose(AttemptNodeUpgrader::failIfProblem);
    }

    private <T extends @Nullable Object> Future<T> inContext(Supplier<Future<T>> request) {
        Promise<T> result = Promise.promise();
        context.runOnContext(
                go -> Future.succeededFuture().compose(begun -> request.get()).onComplete(result));
        return result.future();
    }

    private <T extends @Nullable Object> Future<T> onNode(NodeAction<T> action, Function<String, T> notLocated) {
        return tasks.submit(() -> nodeLocator.<T>withNode(action, notLocated));
    }

    @Override
    public Future<NodeInspection> inspectNode(@Nullable Instant changedAt) {
        return inContext(
                () -> tasks.submit(() -> providerClient.completeInspection(nodeInspector.inspectNode(changedAt))));
    }

    @Override
    public Future<ConnectResult> connectToProvider() {
        return inContext(providerClient::connect);
    }

    @Override
    public Future<List<FailedCheck>> runChecks(List<HealthCheck> checks) {
        return inContext(() -> onNode(
                reference -> nodeCheckRunner.runChecks(checks, reference),
                reason -> NodeCheckRunner.failAll(checks, reason)));
    }

    @Override
    public Future<@Nullable String> setGuards(Instant drainUntil, Runnable onDrainStarted) {
        return this.<@Nullable String>inContext(() -> {
            CountDownLatch halt = new CountDownLatch(1);
            drainHalt = halt;
            return this.<@Nullable String>onNode(
                    reference -> nodePreparer.prepareNode(reference, drainUntil, halt, onDrainStarted),
                    reason -> reason);
        });
    }

    @Override
    public Future<@Nullable String> checkPreconditions() {
        return this.<@Nullable String>inContext(
                () -> this.<@Nullable String>onNode(upgradePreconditions::checkBeforeCall, reason -> reason));
    }

    @Override
    public Future<CallResult> callUpgrade(UpgradeTarget target, BooleanSupplier inTime) {
        return inContext(() -> providerClient.callUpgrade(target, inTime));
    }

    @Override
    public Future<ChangeStatus> pollChange(String changeId) {
        return inContext(() -> providerClient.pollChange(changeId));
    }

    @Override
    public Future<ChangeStatus> abortChange(String changeId) {
        return inContext(() -> providerClient.abortChange(changeId));
    }

    /** What the objects show of a failure. */
    private record ObjectEvidence(List<String> nodeConditions, List<String> leftBehind) {}

    @Override
    public Future<FailureEvidence> collectEvidence() {
        boolean isDelegated = providerClient instanceof NodeUpgradeProviderClient;
        return inContext(() -> tasks.submit(() -> new ObjectEvidence(
                        nodeLocator.<List<String>>withNode(nodeInspector::readConditions, List::of),
                        nodePreparer.describeLeftBehind()))
                .map(evidence -> new FailureEvidence(
                        evidence.nodeConditions(),
                        isDelegated ? List.of() : providerClient.lastRequests(),
                        isDelegated ? providerClient.lastRequests() : List.of(),
                        evidence.leftBehind())));
    }

    @Override
    public Future<Void> cleanUp() {
        return inContext(() -> {
            if (takenOver.failed()) {
                takenOver = takeOverGuards();
            }
            return takenOver.compose(taken -> {
                drainHalt.countDown();
                return tasks.submit(nodePreparer::removeCordonAndGuards).compose(AttemptNodeUpgrader::failIfProblem);
            });
        });
    }

    @Override
    public void releaseNode() {
        context.runOnContext(go -> providerClient.close());
    }

    private static Future<Void> failIfProblem(@Nullable String problem) {
        return problem == null ? Future.succeededFuture() : Future.failedFuture(problem);
    }
}
