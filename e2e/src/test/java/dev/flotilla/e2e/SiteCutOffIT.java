package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.FakeOrchestrator;
import dev.flotilla.e2e.arena.FixedWait;
import dev.flotilla.e2e.arena.RandomSeed;
import dev.flotilla.e2e.arena.WorkerSitesFixture;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.process.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts a site off from Kafka for minutes, with machines before, in and after their calls: the broker is suspended, so
 * that connections are neither refused nor answered.
 */
@Tag("whole")
class SiteCutOffIT {
    private static final int MACHINES = 24;

    /** Long enough that command leases expire during the cut. */
    private static final long CUT_MILLIS = 1_000L * Integer.getInteger("flotilla.e2e.cut", 120);

    /** Duration of a command lease. It expires well within the cut. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    /** Time between two commands, so that the cut hits machines at every step. */
    private static final int COMMAND_INTERVAL_MILLIS = 250;

    /** The last commands are written together, so that the cut comes before most of their calls. */
    private static final int LAST_TOGETHER = 10;

    @Test
    void noNodeIsCalledAfterItsLeaseExpiredAndNoGuardIsLeft(@TempDir Path folder) throws Exception {
        Random chance = RandomSeed.createRandom(SiteCutOffIT.class);
        try (BrokerProcess broker = BrokerProcess.singleBroker(folder, Map.of()).start();
                WorkerSitesFixture sites = new WorkerSitesFixture("cut-off", broker.bootstrap(), 1, MACHINES);
                FakeOrchestrator fakeOrchestrator = new FakeOrchestrator(
                        broker.bootstrap(), sites.fleet().kubeconfigs().keySet(), LEASE)) {
            ChildProcess worker = sites.startProcess("site-0", "cut-off");
            fakeOrchestrator.await("the worker", worker::isReady);
            List<EmbeddedNode> nodes = sites.fleet().nodes().stream()
                    .filter(node -> node.role() == MachineRole.WORKER)
                    .toList();
            for (EmbeddedNode node : nodes.subList(0, nodes.size() - LAST_TOGETHER)) {
                fakeOrchestrator.addTarget(node.machine(), sites.runOnEventLoop(node::uid));
                waitMillis(fakeOrchestrator, chance.nextInt(2 * COMMAND_INTERVAL_MILLIS));
            }
            List<EmbeddedNode> last = nodes.subList(nodes.size() - LAST_TOGETHER, nodes.size());
            for (EmbeddedNode node : last) {
                fakeOrchestrator.addTarget(node.machine(), sites.runOnEventLoop(node::uid));
            }
            fakeOrchestrator.await(
                    "the last machine to start",
                    () -> last.stream().anyMatch(node -> fakeOrchestrator.hasBegun(node.machine())));
            long cut = System.currentTimeMillis();
            broker.suspend();
            List<NodeCallLedger.NodeCall> before = calls(sites);
            long inFlight = sites.runOnEventLoop(() -> sites.fleet().ledger().inFlight());
            FixedWait.waitMillis(CUT_MILLIS);
            List<NodeCallLedger.NodeCall> during = calls(sites);
            List<String> left = sites.staleGuards();
            broker.resume();

            assertThat(during.stream().map(NodeCallLedger.NodeCall::calledAt))
                    .as("calls after the last command lease had expired")
                    .allMatch(at -> at <= cut + LEASE.toMillis());
            assertThat(left).as("nothing waits for Kafka to be undone").isEmpty();
            fakeOrchestrator.await("every machine to end", () -> fakeOrchestrator.succeeded() == nodes.size());
            assertThat(sites.runOnEventLoop(
                            () -> fakeOrchestrator.calledTwice(sites.fleet().ledger())))
                    .isEmpty();
            fakeOrchestrator.await(
                    "the last guard annotations to be removed",
                    () -> sites.staleGuards().isEmpty());
            System.out.printf(
                    "SiteCutOffIT: cut off for %d s with %d of %d machines called and %d in flight; %d calls during"
                            + " the cut," + " none after a command lease expired; attempts ended %s%n",
                    CUT_MILLIS / 1000,
                    before.size(),
                    nodes.size(),
                    inFlight,
                    during.size() - before.size(),
                    nodes.stream()
                            .flatMap(node -> fakeOrchestrator.attemptEnds(node.machine()).stream())
                            .toList());
        }
    }

    private static List<NodeCallLedger.NodeCall> calls(WorkerSitesFixture sites) {
        return sites.runOnEventLoop(() -> List.copyOf(sites.fleet().ledger().calls()));
    }

    /** Lets time pass while reports are processed. */
    private static void waitMillis(FakeOrchestrator fakeOrchestrator, long millis) {
        long until = System.nanoTime() + millis * 1_000_000;
        fakeOrchestrator.await("an instant", () -> System.nanoTime() > until);
    }
}
