package dev.flotilla.nodeworker.node;

import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.GuardAnnotationWriter;
import dev.flotilla.nodeworker.management.ObjectPreconditions;
import dev.flotilla.nodeworker.node.NodeLocator.LocateResult;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool.BorrowResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Prepares a node for its upgrade and undoes it: guards, cordon and drain. It caches what this attempt has set, which
 * saves reads. Methods block, and return why they could not do it as text.
 */
final class NodePreparer {
    private final UpgradeAttemptParameters parameters;
    private final NodeLocator nodeLocator;
    private final UpgradePreconditions upgradePreconditions;
    private final GuardAnnotationWriter guardAnnotationWriter;
    private final WorkloadClusterPool workloadClusters;
    private final CordonAndDrain cordonAndDrain;

    private @Nullable AttemptAnnotation guardAnnotation;
    private @Nullable AttemptAnnotation cordonAnnotation;
    /** Whether an earlier worker may have left annotations of the attempt that are not cached here. */
    private boolean resumed;

    /** Whether the machine may have guards of this attempt. */
    private boolean mayBeGuarded = true;

    private boolean cordonKnown;

    NodePreparer(
            UpgradeAttemptParameters parameters,
            NodeLocator nodeLocator,
            UpgradePreconditions upgradePreconditions,
            GuardAnnotationWriter guardAnnotationWriter,
            WorkloadClusterPool workloadClusters,
            CordonAndDrain cordonAndDrain) {
        this.parameters = parameters;
        this.nodeLocator = nodeLocator;
        this.upgradePreconditions = upgradePreconditions;
        this.guardAnnotationWriter = guardAnnotationWriter;
        this.workloadClusters = workloadClusters;
        this.cordonAndDrain = cordonAndDrain;
    }

    /**
     * Sets the guards, checks the preconditions of the resulting machine, and cordons and drains if required.
     *
     * @param drainUntil when a drain gives up
     * @param halt ends the drain
     * @param onDrainStarted called once if pods must be evicted first
     * @return why the machine must not be upgraded now; null if nothing prevents it
     */
    @Nullable
    String prepareNode(NodeReference reference, Instant drainUntil, CountDownLatch halt, Runnable onDrainStarted)
            throws InterruptedException {
        cordonKnown = !resumed;
        String ownChangeId = ObjectPreconditions.ownChangeId(reference.machine());
        // A machine that waits long is retried again and again, and each write would wake every controller that watches
        // it.
        String problemBefore = AttemptAnnotation.onMachine(reference.machine()) == null
                ? upgradePreconditions.checkBeforeGuards(reference, ownChangeId)
                : null;
        if (problemBefore != null) {
            mayBeGuarded = resumed;
            return problemBefore;
        }
        mayBeGuarded = true;
        return switch (guardAnnotationWriter.setGuards(
                parameters.key(),
                reference.machine(),
                parameters.attemptId(),
                parameters.owner(),
                parameters.nodeUpgrade() != null)) {
            case GuardAnnotationWriter.GuardResult.GuardsNotWritten guardsNotWritten -> guardsNotWritten.reason();
            case GuardAnnotationWriter.GuardResult.GuardsWritten guardsWritten -> {
                boolean mayBeCordoned = isLeftByEarlierWorker(guardsWritten.replaced());
                cordonKnown &= !mayBeCordoned;
                guardAnnotation = guardsWritten.mark();
                NodeReference guarded = nodeLocator.cacheMachine(reference, guardsWritten.machine());
                String problem = mayBeCordoned ? takeOverCordon() : null;
                if (problem == null) {
                    problem = upgradePreconditions.checkAfterGuards(guarded, ownChangeId);
                }
                yield problem == null ? drainIfRequired(guarded, drainUntil, halt, onDrainStarted) : problem;
            }
        };
    }

    /** Whether a worker that wrote no report has set guards for this attempt, and may have cordoned the node. */
    private boolean isLeftByEarlierWorker(@Nullable AttemptAnnotation replaced) {
        return !resumed
                && replaced != null
                && replaced.attempt() == parameters.attemptId()
                && !replaced.equals(guardAnnotation);
    }

    private @Nullable String drainIfRequired(
            NodeReference reference, Instant drainUntil, CountDownLatch halt, Runnable onDrainStarted)
            throws InterruptedException {
        long deadline = cordonAndDrain.deadline(drainUntil);
        try (BorrowResult borrowResult = workloadClusters.borrow(reference.cluster())) {
            if (!(borrowResult instanceof BorrowResult.BorrowedConnection borrowedConnection)) {
                return ((BorrowResult.ClusterUnavailable) borrowResult).reason();
            }
            CordonAndDrain.DrainDecision drainDecision = cordonAndDrain.decide(borrowedConnection.api(), reference);
            if (!drainDecision.required()) {
                return drainDecision.problem();
            }
            cordonKnown = false;
            NodeCordoner.CordonResult cordonResult =
                    cordonAndDrain.cordonNode(borrowedConnection.api(), reference.node());
            cordonAnnotation = cordonResult instanceof NodeCordoner.CordonResult.CordonedByAttempt cordonedByAttempt
                    ? cordonedByAttempt.mark()
                    : null;
            cordonKnown = !(cordonResult instanceof NodeCordoner.CordonResult.CordonFailed);
            return cordonResult instanceof NodeCordoner.CordonResult.CordonFailed cordonFailed
                    ? cordonFailed.reason()
                    : cordonAndDrain.drainNode(borrowedConnection.api(), reference, deadline, halt, onDrainStarted);
        }
    }

    /** Writes this worker as owner into the annotations that an earlier worker of the attempt left. */
    @Nullable
    String takeOverGuards() {
        resumed = true;
        mayBeGuarded = true;
        String problem =
                guardAnnotationWriter.takeOverGuards(parameters.key(), parameters.attemptId(), parameters.owner());
        return problem != null ? problem : takeOverCordon();
    }

    private @Nullable String takeOverCordon() {
        return onNode((nodeCordoner, node) -> nodeCordoner.takeOver(node, parameters.attemptId(), parameters.owner()));
    }

    /** Removes the cordon first, so that guards keep controllers away until the node accepts pods again. */
    @Nullable
    String removeCordonAndGuards() {
        if (!cordonKnown || cordonAnnotation != null) {
            String problem = onNode((nodeCordoner, node) ->
                    nodeCordoner.uncordonNode(node, parameters.attemptId(), parameters.owner(), cordonAnnotation));
            if (problem != null) {
                return problem;
            }
            cordonAnnotation = null;
            cordonKnown = true;
        }
        if (!mayBeGuarded) {
            return null;
        }
        String problem = guardAnnotationWriter.releaseGuards(
                parameters.key(), parameters.attemptId(), parameters.owner(), guardAnnotation);
        if (problem == null) {
            guardAnnotation = null;
            mayBeGuarded = false;
        }
        return problem;
    }

    /** Describes the annotations and the cordon that this attempt has set and not removed. */
    List<String> describeLeftBehind() {
        List<String> leftBehind = new ArrayList<>();
        if (guardAnnotation != null) {
            leftBehind.add("Machine " + parameters.key().name() + ": " + AttemptAnnotation.ON_MACHINE + " "
                    + guardAnnotation.text());
        }
        if (cordonAnnotation != null) {
            leftBehind.add("Node: cordoned, " + cordonAnnotation.text());
        }
        return leftBehind;
    }

    private interface CordonAction {
        @Nullable
        String run(NodeCordoner nodeCordoner, String node);
    }

    private @Nullable String onNode(CordonAction action) {
        return switch (nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> null;
            case LocateResult.LocateFailed locateFailed -> locateFailed.reason();
            case LocateResult.NodeLocated nodeLocated ->
                workloadClusters.<@Nullable String>queryCluster(
                        nodeLocated.reference().cluster(),
                        api -> action.run(
                                new NodeCordoner(new WorkloadClusterClient(api)),
                                nodeLocated.reference().node()),
                        reason -> reason);
        };
    }
}
