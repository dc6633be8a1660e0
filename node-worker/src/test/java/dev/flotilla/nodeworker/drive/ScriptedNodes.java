package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.FailureEvidence;
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
final class ScriptedNodes implements Tools.Bench {
    static final String OLD = "1000";
    static final String VERSION = "v1.36.0";

    private final Map<MachineKey, Node> nodes = new ConcurrentHashMap<>();

    /** One node, and what was done to it. */
    static final class Node {
        final AtomicInteger calls = new AtomicInteger();
        final AtomicInteger undone = new AtomicInteger();
        volatile String revision = OLD;
        volatile @Nullable String target;
        volatile boolean guarded;
        volatile @Nullable Future<Ruling> guarding;
        /** What is answered to judging and calling; null for at once. */
        volatile @Nullable Future<Ruling> judgement;

        volatile @Nullable Future<CallResult> answer;
        /** How a look at it ends; null for well. */
        volatile @Nullable Throwable sight;
        /** So often it cannot be undone. */
        final AtomicInteger stuck = new AtomicInteger();

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

    Node node(MachineKey key) {
        return nodes.computeIfAbsent(key, of -> new Node());
    }

    int calls() {
        return nodes.values().stream().mapToInt(node -> node.calls.get()).sum();
    }

    @Override
    public Tools tools(Errand errand, boolean resumed) {
        Node node = node(errand.key());
        return new Tools() {
            @Override
            public Future<NodeInspection> inspect(@Nullable Instant changedAt) {
                Throwable failure = node.sight;
                return failure == null
                        ? Future.succeededFuture(new NodeInspection.ObservedNode(node.revision, VERSION, true, false))
                        : Future.failedFuture(failure);
            }

            @Override
            public Future<ConnectResult> reach() {
                return Future.succeededFuture(new ConnectResult.Connected());
            }

            @Override
            public Future<List<FailedCheck>> check(List<HealthCheck> checks) {
                return Future.succeededFuture(List.of());
            }

            @Override
            public Future<Ruling> guard(Instant until, Runnable drains) {
                node.guarded = true;
                Future<Ruling> later = node.guarding;
                return later == null ? Future.succeededFuture(Ruling.ALLOWED) : later;
            }

            @Override
            public Future<Ruling> judge() {
                Future<Ruling> later = node.judgement;
                return later == null ? Future.succeededFuture(Ruling.ALLOWED) : later;
            }

            @Override
            public Future<CallResult> call(UpgradeTarget target, BooleanSupplier inTime) {
                if (!inTime.getAsBoolean()) {
                    return Future.succeededFuture(new CallResult.NotSent("its time had passed"));
                }
                node.calls.incrementAndGet();
                node.target = ((UpgradeTarget.Revision) target).revision();
                Future<CallResult> later = node.answer;
                return later == null ? Future.succeededFuture(new CallResult.ChangeStarted("7")) : later;
            }

            @Override
            public Future<ChangeStatus> poll(String changeId) {
                return Future.succeededFuture(
                        node.isDone() ? new ChangeStatus.ChangeDone() : new ChangeStatus.InProgress("change 7 is Doing"));
            }

            @Override
            public Future<FailureEvidence> evidence() {
                return Future.succeededFuture(FailureEvidence.NONE);
            }

            @Override
            public Future<Void> undo() {
                if (node.stuck.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return Future.failedFuture("the cluster's API is away");
                }
                node.guarded = false;
                node.undone.incrementAndGet();
                return Future.succeededFuture();
            }

            @Override
            public void leave() {}
        };
    }
}
