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

/** The orchestrators of a world: usually one leader, and its standbys. */
public final class OrchestratorGroup {
    private final List<SimOrchestrator> orchestrators = new ArrayList<>();
    private final SimLeaderElection leaderElection;

    public OrchestratorGroup(
            SimKafkaLog log,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            List<SiteId> sites,
            Supplier<Decider> decider,
            OrchestratorSafeguards safeguards,
            LeaderLoopConfig loopConfig,
            List<SimProcess> processes) {
        this.leaderElection = new SimLeaderElection(scheduler, faults, transcript, chance);
        OrchestratorContext world = new OrchestratorContext(
                log, scheduler, faults, transcript, List.copyOf(sites), decider, safeguards, loopConfig);
        for (SimProcess process : processes) {
            SimOrchestrator orchestrator = new SimOrchestrator(process, world, leaderElection::leadershipGivenUp);
            orchestrators.add(orchestrator);
            leaderElection.addCandidate(orchestrator);
        }
    }

    public void start() {
        for (SimOrchestrator orchestrator : orchestrators) {
            orchestrator.process().start();
        }
        leaderElection.start();
    }

    public List<SimOrchestrator> orchestrators() {
        return Collections.unmodifiableList(orchestrators);
    }
}
