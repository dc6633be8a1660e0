package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** The orchestrators of a world: one that leads, at most times, and the others ready to. */
public final class Leadership {
    private final List<Orchestrator> orchestrators = new ArrayList<>();
    private final LeaderHint hint;

    public Leadership(
            SimLog log,
            Scheduler scheduler,
            Faults faults,
            Story story,
            Chance chance,
            List<SiteId> sites,
            Supplier<Decider> decider,
            ShellHabits habits,
            LeaderPace pace,
            List<SimProcess> processes) {
        this.hint = new LeaderHint(scheduler, faults, story, chance);
        Orchestrator.Surroundings world = new Orchestrator.Surroundings(
                log, scheduler, faults, story, List.copyOf(sites), decider, habits, hint, pace);
        for (SimProcess process : processes) {
            Orchestrator orchestrator = new Orchestrator(process, world);
            orchestrators.add(orchestrator);
            hint.join(orchestrator);
        }
    }

    public void start() {
        for (Orchestrator orchestrator : orchestrators) {
            orchestrator.process().start();
        }
        hint.begin();
    }

    public List<Orchestrator> orchestrators() {
        return Collections.unmodifiableList(orchestrators);
    }
}
