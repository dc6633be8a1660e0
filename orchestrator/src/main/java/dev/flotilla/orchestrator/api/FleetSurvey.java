package dev.flotilla.orchestrator.api;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.explain.Glance;
import dev.flotilla.core.fleet.Bookmark;
import dev.flotilla.core.fleet.Cluster;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Walked;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.Condition;
import dev.flotilla.orchestrator.api.answer.GateTally;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.api.answer.MapAnswer;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.runtime.http.HttpError;
import dev.flotilla.schemas.id.ClusterKey;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every machine once, by one short question after another. The state goes on changing meanwhile, so what it finds
 * is of about one instant.
 */
final class FleetSurvey {
    private final Asker asker;
    private final Map<ClusterKey, Map<Condition, Integer>> clusters = new LinkedHashMap<>();
    private final Map<GateLabel, Integer> gates = new EnumMap<>(GateLabel.class);
    private int free;
    private Instant asOf = Instant.EPOCH;
    private boolean complete;
    private @Nullable HttpError refused;

    /** A machine as one question saw it. */
    private record Seen(ClusterKey cluster, Glance glance) {}

    /** What one question saw. */
    private record Piece(List<Seen> machines, @Nullable Bookmark next, Instant now) {}

    FleetSurvey(Asker asker) {
        this.asker = asker;
    }

    Future<Void> run() {
        return from(Bookmark.start());
    }

    /** What has been found so far, or why nothing can be. */
    Reply<MapAnswer> soFar() {
        if (refused != null) {
            return Reply.none(refused);
        }
        Map<String, List<MapAnswer.Cell>> sites = new LinkedHashMap<>();
        clusters.forEach((key, counts) -> sites.computeIfAbsent(key.site().name(), site -> new ArrayList<>())
                .add(new MapAnswer.Cell(
                        key.namespace() + "/" + key.name(),
                        Stream.of(Condition.values())
                                .map(condition -> counts.getOrDefault(condition, 0))
                                .toList())));
        List<MapAnswer.Site> list = new ArrayList<>();
        sites.forEach((site, cells) -> list.add(new MapAnswer.Site(site, cells)));
        return Reply.found(new MapAnswer(list, GateTally.of(asOf, complete, free, gates)));
    }

    boolean isComplete() {
        return complete;
    }

    private Future<Void> from(Bookmark place) {
        return asker.ask(view -> Reply.found(look(view, place))).compose(reply -> switch (reply) {
            case Reply.None<Piece> none -> {
                refused = none.why();
                yield Future.succeededFuture();
            }
            case Reply.Found<Piece> found -> take(found.value());
        });
    }

    private Future<Void> take(Piece piece) {
        if (asOf.equals(Instant.EPOCH)) {
            asOf = piece.now();
        }
        piece.machines().forEach(this::count);
        Bookmark next = piece.next();
        complete = next == null;
        return next == null ? Future.succeededFuture() : from(next);
    }

    private void count(Seen seen) {
        Condition condition = Condition.of(seen.glance().state());
        clusters.computeIfAbsent(seen.cluster(), key -> new EnumMap<>(Condition.class))
                .merge(condition, 1, Integer::sum);
        GateLabel gate = seen.glance().gate();
        if (gate != null) {
            gates.merge(gate, 1, Integer::sum);
        } else if (condition == Condition.WAITING) {
            free++;
        }
    }

    private static Piece look(View view, Bookmark place) {
        Walked piece = view.state().walk(place, MachineFilter.LOOKS);
        List<Seen> seen = new ArrayList<>(piece.machines().size());
        for (Machine machine : piece.machines()) {
            Cluster home = machine.cluster();
            if (home != null && !home.isNowhere()) {
                seen.add(new Seen(home.key(), Explain.glance(view.state(), view.gates(), machine, view.now())));
            }
        }
        return new Piece(seen, piece.next(), view.now());
    }
}
