package dev.flotilla.orchestrator.api;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.Condition;
import dev.flotilla.orchestrator.api.answer.GateTally;
import dev.flotilla.orchestrator.api.answer.MapAnswer;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.MachineOutcome;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts how the machines of each cluster stand, and where they wait. */
final class FleetSurvey {
    private final Walk<List<Seen>> walk;
    private final Map<ClusterKey, Map<Condition, Integer>> clusters = new LinkedHashMap<>();
    private final Map<ClusterKey, Integer> succeededBefore = new LinkedHashMap<>();
    private final Map<ClusterKey, Integer> quarantinedBefore = new LinkedHashMap<>();
    private final Map<GateLabel, Integer> gates = new EnumMap<>(GateLabel.class);
    private int free;

    /** A machine as one question saw it. */
    private record Seen(
            ClusterKey cluster, MachineSummary glance, @Nullable MachineOutcome before) {}

    FleetSurvey(Asker asker) {
        walk = new Walk<>(asker, FleetSurvey::look, seen -> seen.forEach(this::count));
    }

    Future<Void> run() {
        return walk.run();
    }

    /** What has been found so far, or why nothing can be. */
    Reply<MapAnswer> soFar() {
        HttpErrorResponse refused = walk.refused();
        if (refused != null) {
            return Reply.none(refused);
        }
        Map<String, List<MapAnswer.Cell>> sites = new LinkedHashMap<>();
        clusters.forEach((key, counts) -> sites.computeIfAbsent(key.site().name(), site -> new ArrayList<>())
                .add(new MapAnswer.Cell(
                        key.namespace() + "/" + key.name(),
                        Stream.of(Condition.values())
                                .map(condition -> counts.getOrDefault(condition, 0))
                                .toList(),
                        succeededBefore.getOrDefault(key, 0),
                        quarantinedBefore.getOrDefault(key, 0))));
        List<MapAnswer.Site> list = new ArrayList<>();
        sites.forEach((site, cells) -> list.add(new MapAnswer.Site(site, cells)));
        return Reply.found(new MapAnswer(list, GateTally.of(walk.asOf(), walk.isComplete(), free, gates)));
    }

    boolean isComplete() {
        return walk.isComplete();
    }

    private void count(Seen seen) {
        Condition condition = Condition.of(seen.glance().state());
        clusters.computeIfAbsent(seen.cluster(), key -> new EnumMap<>(Condition.class))
                .merge(condition, 1, Integer::sum);
        MachineOutcome before = seen.before();
        if (condition == Condition.WAITING && before != null) {
            (before.isAtTarget() ? succeededBefore : quarantinedBefore).merge(seen.cluster(), 1, Integer::sum);
        }
        GateLabel gate = seen.glance().gate();
        if (gate != null) {
            gates.merge(gate, 1, Integer::sum);
        } else if (condition == Condition.WAITING) {
            free++;
        }
    }

    private static List<Seen> look(View view, List<MachineView> machines) {
        List<Seen> seen = new ArrayList<>(machines.size());
        for (MachineView machine : machines) {
            ClusterState home = machine.cluster();
            if (home != null && !home.isNowhere()) {
                seen.add(new Seen(
                        home.key(), MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now()), before(machine)));
            }
        }
        return seen;
    }

    /** How a machine ended last for a campaign or an annotation, if that is worth a person's knowing; else null. */
    private static @Nullable MachineOutcome before(MachineView machine) {
        MachineOutcome last = null;
        for (RolloutEntry entry : machine.entries()) {
            MachineOutcome outcome = entry.outcome();
            last = outcome.isAtTarget() || outcome == MachineOutcome.QUARANTINED ? outcome : last;
        }
        return last;
    }
}
