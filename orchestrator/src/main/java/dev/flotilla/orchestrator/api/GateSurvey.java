package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.Bookmark;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Walked;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.GateTally;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts at which gates the machines of a campaign wait, by one short question after another. The state goes on changing
 * meanwhile, so the counts are of about one instant.
 */
final class GateSurvey {
    private final Asker asker;
    private final CampaignName name;
    private final Promise<Void> done = Promise.promise();
    private final Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
    private int free;
    private Instant asOf = Instant.EPOCH;
    private boolean complete;

    /** What one question counted. */
    private record Piece(
            Map<GateLabel, Integer> counts,
            int free,
            @Nullable Bookmark next,
            Instant now) {}

    GateSurvey(Asker asker, CampaignName name) {
        this.asker = asker;
        this.name = name;
    }

    Future<Void> run() {
        from(Bookmark.start()).onComplete(done);
        return done.future();
    }

    /** Completed when there is nothing more to count, or no way to. */
    Future<Void> done() {
        return done.future();
    }

    boolean isDone() {
        return done.future().isComplete();
    }

    GateTally soFar() {
        return GateTally.of(asOf, complete, free, counts);
    }

    private Future<Void> from(Bookmark place) {
        return asker.ask(view -> Reply.found(count(view, place))).compose(reply -> switch (reply) {
            case Reply.None<Piece> none -> Future.succeededFuture();
            case Reply.Found<Piece> found -> take(found.value());
        });
    }

    private Future<Void> take(Piece piece) {
        piece.counts().forEach((gate, count) -> counts.merge(gate, count, Integer::sum));
        free += piece.free();
        if (asOf.equals(Instant.EPOCH)) {
            asOf = piece.now();
        }
        Bookmark next = piece.next();
        complete = next == null;
        return next == null ? Future.succeededFuture() : from(next);
    }

    private Piece count(View view, Bookmark place) {
        Map<GateLabel, Integer> here = new EnumMap<>(GateLabel.class);
        int open = 0;
        Walked piece = view.state().walk(place, MachineFilter.LOOKS);
        CampaignRollout campaign = view.state().rollout(name);
        if (campaign == null) {
            return new Piece(here, 0, null, view.now());
        }
        for (Machine machine : piece.machines()) {
            Candidate candidate = view.state().candidate(campaign, machine, view.now());
            if (candidate != null && candidate.standing().waits()) {
                Gate closed = view.gates().firstClosed(candidate);
                if (closed == null) {
                    open++;
                } else {
                    here.merge(closed.label(), 1, Integer::sum);
                }
            }
        }
        return new Piece(here, open, piece.next(), view.now());
    }
}
