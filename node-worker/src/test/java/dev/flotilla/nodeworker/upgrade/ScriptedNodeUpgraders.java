package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A stub of all nodes, for workers on a real Kafka: changes end when the test says so. */
final class ScriptedNodeUpgraders implements NodeUpgrader.Factory {
    static final String OLD = "1000";
    static final String VERSION = "v1.36.0";

    private final Map<MachineKey, ScriptedNode> nodes = new ConcurrentHashMap<>();

    /** One node, and what was done to it. */
    static final class ScriptedNode {
        final AtomicInteger inspections = new AtomicInteger();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger undone = new AtomicInteger();
        volatile String revision = OLD;
        volatile @Nullable String target;
        volatile boolean guarded;
        volatile @Nullable Future<@Nullable String> guarding;
        /** What is answered to judging and calling; null for at once. */
        volatile @Nullable Future<@Nullable String> judgement;

        volatile @Nullable Future<CallResult> answer;
        /** How an inspection fails; null if it succeeds. */
        volatile @Nullable Throwable inspectionFailure;
        /** So often it cannot be undone. */
        final AtomicInteger stuck = new AtomicInteger();
        /** How a cleanup fails; null if it succeeds. */
        volatile @Nullable Throwable cleanupFailure;

        /** Its change ends well. */
        void finish() {
            String to = target;
            if (to != null) {
                revision = to;
            }
        }

        boolean isDone() {
            return revision.equals(target);
        }
    }

    ScriptedNode node(MachineKey key) {
        return nodes.computeIfAbsent(key, of -> new ScriptedNode());
    }

    int calls() {
        return nodes.values().stream()
                .mapToInt(scriptedNode -> scriptedNode.calls.get())
                .sum();
    }

    @Override
    public NodeUpgrader createUpgrader(UpgradeAttemptParameters upgradeAttemptParameters, boolean resumed) {
        ScriptedNode scriptedNode = node(upgradeAttemptParameters.key());
        return new NodeUpgrader() {
            @Override
            public Future<NodeInspection> inspectNode(@Nullable Instant changedAt) {
                scriptedNode.inspections.incrementAndGet();
                Throwable failure = scriptedNode.inspectionFailure;
                return failure == null
                        ? Future.succeededFuture(
                                new NodeInspection.ObservedNode(scriptedNode.revision, VERSION, true, false))
                        : Future.failedFuture(failure);
            }

            @Override
            public Future<ConnectResult> connectToProvider() {
                return Future.succeededFuture(new ConnectResult.Connected());
            }

            @Override
            public Future<List<FailedCheck>> runChecks(List<HealthCheck> checks) {
                return Future.succeededFuture(List.of());
            }

            @Override
            public Future<@Nullable String> setGuards(Instant until, Runnable drains) {
                scriptedNode.guarded = true;
                Future<@Nullable String> later = scriptedNode.guarding;
                return later == null ? Future.succeededFuture() : later;
            }

            @Override
            public Future<@Nullable String> checkPreconditions() {
                Future<@Nullable String> later = scriptedNode.judgement;
                return later == null ? Future.succeededFuture() : later;
            }

            @Override
            public Future<CallResult> callUpgrade(UpgradeTarget target, BooleanSupplier inTime) {
                if (!inTime.getAsBoolean()) {
                    return Future.succeededFuture(new CallResult.NotSent("its time had passed"));
                }
                scriptedNode.calls.incrementAndGet();
                scriptedNode.target = ((UpgradeTarget.Revision) target).revision();
                Future<CallResult> later = scriptedNode.answer;
                return later == null ? Future.succeededFuture(new CallResult.ChangeStarted("7")) : later;
            }

            @Override
            public Future<ChangeStatus> pollChange(String changeId) {
                return Future.succeededFuture(
                        scriptedNode.isDone()
                                ? new ChangeStatus.ChangeDone()
                                : new ChangeStatus.InProgress("change 7 is Doing"));
            }

            @Override
            public Future<ChangeStatus> abortChange(String changeId) {
                return pollChange(changeId);
            }

            @Override
            public Future<FailureEvidence> collectEvidence() {
                return Future.succeededFuture(FailureEvidence.NONE);
            }

            @Override
            public Future<Void> cleanUp() {
                if (scriptedNode.stuck.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return Future.failedFuture("the cluster's API is away");
                }
                Throwable failure = scriptedNode.cleanupFailure;
                if (failure != null) {
                    return Future.failedFuture(failure);
                }
                scriptedNode.guarded = false;
                scriptedNode.undone.incrementAndGet();
                return Future.succeededFuture();
            }

            @Override
            public void releaseNode() {}
        };
    }
}
