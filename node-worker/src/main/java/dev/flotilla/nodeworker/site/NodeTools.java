package dev.flotilla.nodeworker.site;

import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Contact;
import dev.flotilla.core.procedure.Sight;
import dev.flotilla.nodeworker.drive.Ruling;
import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.nodeworker.hands.Hands;
import dev.flotilla.nodeworker.hands.Way;
import dev.flotilla.nodeworker.k8sd.Door;
import dev.flotilla.nodeworker.k8sd.Exchange;
import dev.flotilla.nodeworker.k8sd.NodeLine;
import dev.flotilla.nodeworker.k8sd.Request;
import dev.flotilla.nodeworker.k8sd.Verdicts;
import dev.flotilla.schemas.row.UpgradeOption;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands on the machine's objects, and a line to its k8sd that stays as long as they do. All of it happens in one context,
 * whoever asks.
 */
final class NodeTools implements Tools {
    private final Context context;
    private final Hands hands;
    private final Function<Door, NodeLine> lines;
    private Future<Void> ours = Future.succeededFuture();
    private @Nullable Door door;
    private @Nullable NodeLine line;

    NodeTools(Context context, Hands hands, Function<Door, NodeLine> lines, boolean resumed) {
        this.context = context;
        this.hands = hands;
        this.lines = lines;
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
    public Future<Sight> inspect(@Nullable Instant changedAt) {
        return here(() -> hands.inspect(changedAt));
    }

    @Override
    public Future<Contact> reach() {
        return here(() -> ask(Request.probe(), () -> true)
                .compose(exchange -> {
                    if (!Verdicts.refusesToken(exchange)) {
                        return Future.succeededFuture(exchange);
                    }
                    // It may have been replaced since it was read.
                    hands.tokenRefused();
                    return ask(Request.probe(), () -> true);
                })
                .map(Verdicts::ofContact));
    }

    @Override
    public Future<Ruling> guard(Instant until) {
        return here(() -> hands.guard(until).map(Ruling::new));
    }

    @Override
    public Future<Ruling> judge() {
        return here(() -> hands.judge().map(Ruling::new));
    }

    @Override
    public Future<Answer> call(UpgradeOption target, BooleanSupplier inTime) {
        return here(() -> ask(Request.refresh(target), inTime).map(exchange -> {
            if (!Verdicts.refusesToken(exchange)) {
                return Verdicts.ofCall(exchange);
            }
            // It was taken before the guards, so that it was replaced since. Certainly nothing was done.
            hands.tokenRefused();
            return new Answer.NotBegun();
        }));
    }

    @Override
    public Future<ChangeSight> poll(String changeId) {
        return here(() -> ask(Request.status(changeId), () -> true).map(exchange -> {
            if (Verdicts.refusesToken(exchange)) {
                hands.tokenRefused();
            }
            return Verdicts.ofStatus(changeId, exchange);
        }));
    }

    private Future<Exchange> ask(Request request, BooleanSupplier inTime) {
        return hands.way().compose(way -> switch (way) {
            case Way.Open open -> line(open.door()).ask(request, open.token().reveal(), inTime);
            case Way.FirstContact first ->
                Future.succeededFuture(new Exchange.NotSent("the certificate of " + first.host() + " is not pinned"));
            case Way.Closed closed -> Future.succeededFuture(new Exchange.NotSent(closed.why()));
        });
    }

    private NodeLine line(Door to) {
        NodeLine open = line;
        if (open != null && to.equals(door)) {
            return open;
        }
        if (open != null) {
            open.close();
        }
        NodeLine fresh = lines.apply(to);
        line = fresh;
        door = to;
        return fresh;
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
        context.runOnContext(go -> {
            NodeLine open = line;
            if (open != null) {
                line = null;
                door = null;
                open.close();
            }
        });
    }
}
