package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.GateTally;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts at which gates the machines of a campaign wait. */
final class GateSurvey {
    private final CampaignName name;
    private final Walk<Waiting> walk;
    private final Promise<Void> done = Promise.promise();
    private final Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
    private int free;

    /** What one question counted. */
    private record Waiting(Map<GateLabel, Integer> counts, int free) {}

    GateSurvey(Asker asker, CampaignName name) {
        this.name = name;
        walk = new Walk<>(asker, this::count, this::add);
    }

    Future<Void> run() {
        walk.run().onComplete(done);
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
        return GateTally.of(walk.asOf(), walk.isComplete(), free, counts);
    }

    private Waiting count(View view, List<MachineView> machines) {
        Map<GateLabel, Integer> here = new EnumMap<>(GateLabel.class);
        CampaignRollout campaign = view.state().rollout(name);
        if (campaign == null) {
            return new Waiting(here, 0);
        }
        int open = 0;
        for (MachineView machine : machines) {
            StartCandidate candidate = view.state().candidateOf(campaign, machine, view.now());
            if (candidate != null && candidate.progressState().isWaiting()) {
                Gate closed = view.gates().firstClosed(candidate);
                if (closed == null) {
                    open++;
                } else {
                    here.merge(closed.label(), 1, Integer::sum);
                }
            }
        }
        return new Waiting(here, open);
    }

    private void add(Waiting waiting) {
        waiting.counts().forEach((gate, count) -> counts.merge(gate, count, Integer::sum));
        free += waiting.free();
    }
}
