package dev.flotilla.nodeworker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.simulator.node.NodeFaultProfile;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Machines of one owner, one after the other, by the worker's real procedure, tools and pace, in the time of the simulated world:
 * what the orchestrator adds between two of them is not in it. The provider's own controllers take 125.9 s for these five.
 */
class SequentialUpgradesIT {
    private static final int MACHINES = 5;
    /** A node that is refreshed answers again two seconds after its work: after twenty in all. */
    private static final Duration WORK = Duration.ofSeconds(18);

    private static final Duration GOAL = Duration.ofSeconds(110);

    private static FaultTestBed.SharedTestResources sharedTestResources;

    @BeforeAll
    static void openResources() throws Exception {
        sharedTestResources = FaultTestBed.SharedTestResources.make();
    }

    @AfterAll
    static void leave() throws Exception {
        sharedTestResources
                .vertx()
                .close()
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    void isNoSlowerThanTheProvidersOwnControllers() throws Exception {
        WorkloadClusterSpec plan = WorkloadClusterSpec.withoutFaults(FaultTestBed.CLUSTER, 1, MACHINES)
                .with(NodeFaultProfile.withoutFaults(WORK.toMillis(), 0));
        PollIntervalEstimator pollIntervalEstimator =
                new PollIntervalEstimator(PollIntervalEstimator.DEFAULT_INTERVAL, new SplittableRandom(1));
        try (FaultTestBed faultTestBed = new FaultTestBed(sharedTestResources, plan)) {
            // Kubelets renew their leases at any time of the ten seconds.
            faultTestBed.pass(Duration.ofSeconds(3));
            long begun = faultTestBed.readClocks().monotonicMillis();
            for (int i = 0; i < MACHINES; i++) {
                faultTestBed.node = faultTestBed.worker(i);
                List<AttemptReport> reports = UpgradeProcedureRunner.toItsEnd(faultTestBed, pollIntervalEstimator);
                assertThat(reports.getLast()).isInstanceOf(AttemptReport.Succeeded.class);
            }
            Duration took = Duration.ofMillis(faultTestBed.readClocks().monotonicMillis() - begun);
            System.out.println("one at a time, " + MACHINES + " x 20 s: " + took.toMillis() + " ms");
            assertThat(took).isLessThanOrEqualTo(GOAL);
        }
    }
}
