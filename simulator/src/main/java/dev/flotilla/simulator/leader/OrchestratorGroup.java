package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** The orchestrators of a world: one that leads, at most times, and the others ready to. */
public final class OrchestratorGroup {
    private final List<SimOrchestrator> orchestrators = new ArrayList<>();
    private final SimLeaderElection hint;

    public OrchestratorGroup(
            SimKafkaLog log,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            List<SiteId> sites,
            Supplier<Decider> decider,
            OrchestratorSafeguards habits,
            LeaderLoopConfig pace,
            List<SimProcess> processes) {
        this.hint = new SimLeaderElection(scheduler, faults, transcript, chance);
        SimOrchestrator.SimOrchestratorContext world = new SimOrchestrator.SimOrchestratorContext(
                log, scheduler, faults, transcript, List.copyOf(sites), decider, habits, hint, pace);
        for (SimProcess process : processes) {
            SimOrchestrator orchestrator = new SimOrchestrator(process, world);
            orchestrators.add(orchestrator);
            hint.addCandidate(orchestrator);
        }
    }

    public void start() {
        for (SimOrchestrator orchestrator : orchestrators) {
            orchestrator.process().start();
        }
        hint.start();
    }

    public List<SimOrchestrator> orchestrators() {
        return Collections.unmodifiableList(orchestrators);
    }
}
