package dev.flotilla.nodeworker.site;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.kube.RootCauseMessage;
import dev.flotilla.nodeworker.drive.Ruling;
import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.nodeworker.hands.Hands;
import dev.flotilla.nodeworker.hands.Peer;
import dev.flotilla.nodeworker.hands.Way;
import dev.flotilla.nodeworker.k8sd.Exchange;
import dev.flotilla.nodeworker.k8sd.Request;
import dev.flotilla.nodeworker.k8sd.Verdicts;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.FailureEvidence;
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
 * Hands on the machine's objects, and a line to its k8sd that stays as long as they do. All of it happens in one context,
 * whoever asks.
 */
final class NodeTools implements Tools {
    private final Context context;
    private final Hands hands;
    private final MachineKey machine;
    private final Roads roads;
    private Future<Void> ours = Future.succeededFuture();
    private final Trail trail = new Trail();

    NodeTools(Context context, Hands hands, MachineKey machine, Roads roads, boolean resumed) {
        this.context = context;
        this.hands = hands;
        this.machine = machine;
        this.roads = roads;
        if (resumed) {
            context.runOnContext(go -> ours = hands.takeOver());
        }
    }

    private <T> Future<T> here(Supplier<Future<T>> question) {
        Promise<T> answer = Promise.promise();
        context.runOnContext(
                go -> Future.succeededFuture().compose(begun -> question.get()).onComplete(answer));
        return answer.future();
    }

    @Override
    public Future<NodeInspection> inspect(@Nullable Instant changedAt) {
        return here(() -> hands.inspect(changedAt));
    }

    @Override
    public Future<ConnectResult> reach() {
        return here(() -> ask(Request.probe(), () -> true)
                .compose(exchange -> {
                    if (exchange instanceof Exchange.NotSent && hands.wayMissed()) {
                        return ask(Request.probe(), () -> true);
                    }
                    if (!Verdicts.refusesToken(exchange) && !(exchange instanceof Exchange.Untrusted)) {
                        return Future.succeededFuture(exchange);
                    }
                    // Token and pin may have been replaced since they were read.
                    hands.wayRefused();
                    return ask(Request.probe(), () -> true);
                })
                .map(exchange ->
                        Verdicts.ofContact(exchange instanceof Exchange.Untrusted other ? mended(other) : exchange)));
    }

    private Exchange mended(Exchange.Untrusted other) {
        return new Exchange.Untrusted(
                other.why() + ", and saw no token; where that is right: flotilla machine trust --reset " + machine);
    }

    @Override
    public Future<List<FailedCheck>> check(List<HealthCheck> checks) {
        return here(() -> hands.check(checks));
    }

    @Override
    public Future<Ruling> guard(Instant until, Runnable drains) {
        return here(() -> hands.guard(until, drains).map(Ruling::new));
    }

    @Override
    public Future<Ruling> judge() {
        return here(() -> hands.judge().map(Ruling::new));
    }

    @Override
    public Future<CallResult> call(UpgradeTarget target, BooleanSupplier inTime) {
        return here(() -> ask(Request.refresh(target), inTime).map(exchange -> {
            if (!Verdicts.refusesToken(exchange)) {
                return Verdicts.ofCall(exchange);
            }
            // It was taken before the guards, so that it was replaced since. Certainly nothing was done.
            hands.wayRefused();
            return new CallResult.NotSent("the node token is read anew");
        }));
    }

    @Override
    public Future<ChangeStatus> poll(String changeId) {
        return here(() -> ask(Request.status(changeId), () -> true).map(exchange -> {
            if (Verdicts.refusesToken(exchange)) {
                hands.wayRefused();
            }
            return Verdicts.ofStatus(changeId, exchange);
        }));
    }

    private Future<Exchange> ask(Request request, BooleanSupplier inTime) {
        return way(request, inTime).onSuccess(exchange -> trail.add(request, exchange));
    }

    private Future<Exchange> way(Request request, BooleanSupplier inTime) {
        return hands.way()
                .compose(way -> way instanceof Way.FirstContact first
                        ? met(first.peer(), request, inTime)
                        : asked(way, request, inTime));
    }

    private Future<Exchange> met(Peer peer, Request request, BooleanSupplier inTime) {
        return roads.meet(peer)
                .compose(hands::meet)
                .otherwise(failure -> "its certificate could not be seen: " + RootCauseMessage.describe(failure))
                .compose(problem ->
                        problem == null ? hands.way().compose(way -> asked(way, request, inTime)) : notSent(problem));
    }

    private Future<Exchange> asked(Way way, Request request, BooleanSupplier inTime) {
        return switch (way) {
            case Way.Open open -> roads.ask(open, request, inTime);
            case Way.FirstContact first -> notSent("its certificate is not pinned");
            case Way.Closed closed -> notSent(closed.why());
        };
    }

    private static Future<Exchange> notSent(String why) {
        return Future.succeededFuture(new Exchange.NotSent(why));
    }

    @Override
    public Future<FailureEvidence> evidence() {
        return here(() -> hands.witness().map(witness -> new FailureEvidence(witness.node(), trail.lines(), witness.left())));
    }

    @Override
    public Future<Void> undo() {
        return here(() -> {
            if (ours.failed()) {
                ours = hands.takeOver();
            }
            return ours.compose(taken -> hands.undo());
        });
    }

    @Override
    public void leave() {
        context.runOnContext(go -> roads.close());
    }
}
