package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A site's only worker cannot reach Kafka for hours, from a given point of an attempt on. The invariants are checked at
 * every step.
 */
class WorkerCutOffTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int WORKERS = 3;
    private static final int CAP = 2;
    private static final long HOURS = 3 * 3600_000L;

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "before the call, attempt-admitted north/fleet/k-w-2",
        "with a call permit, north/fleet/k-w-2 attempt .*step=STARTING",
        "with a change that is polled, north/fleet/k-w-2 attempt .*step=REFRESHING"
    })
    void noCallIsTooLateAndEveryMachineEnds(String when, String point) {
        SimWorld[] seen = new SimWorld[1];
        String transcript = new TranscriptScenario(1, WORKERS + 1, WorkerCutOffTranscriptTest::createFleet)
                .whenMatches(point, world -> {
                    seen[0] = world;
                    world.workers().forEach(site -> site.processes().forEach(worker -> worker.cutOff(HOURS)));
                })
                .play(TranscriptScenario.begin(CAP, campaign()), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript).contains("campaign-completed upgrade");
        // The lease of an unread command is renewed; if the call may have been made, the outcome is unknown.
        assertThat(transcript.contains("attempt-unknown")).isEqualTo(!when.equals("before the call"));
        assertThat(seen[0].fleet().machines())
                .as("each machine is at its target")
                .allMatch(machine -> machine.node().revision() == SnapReleases.OLDEST + 100);
        assertThat(seen[0].ledger().calls().stream()
                        .collect(Collectors.groupingBy(call -> call.attempt(), Collectors.counting())))
                .as("calls of an attempt")
                .allSatisfy((attempt, calls) -> assertThat(calls).isEqualTo(1));
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        NodeFaultProfile calm = NodeFaultProfile.withoutFaults(300_000, 20);
        SimSite north = fleet.addSite("north");
        SimCluster cluster = fleet.addCluster(north, "k", Labels.NONE);
        fleet.addMachine(north, cluster, "k-cp-1", MachineRole.CONTROL_PLANE, Labels.NONE, nodes.node("k-cp-1", calm));
        for (int i = 1; i <= WORKERS; i++) {
            String machine = "k-w-" + i;
            fleet.addMachine(north, cluster, machine, MachineRole.WORKER, Labels.NONE, nodes.node(machine, calm));
        }
    }

    private static Campaign campaign() {
        int failures = WORKERS + 1;
        return new Campaign(
                UPGRADE,
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel(SnapReleases.channel(1)), MachineSelection.EVERYTHING)
                        .failureBudget(FailureBudget.of(failures))
                        .priority(0)
                        .maxUnavailable(new CountOrPercent.Count(CAP))
                        .retries(new RetryRule(3, Duration.ofMinutes(1), Duration.ofMinutes(10)))
                        .build());
    }
}
