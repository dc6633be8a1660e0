package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.FakeOrchestrator;
import dev.flotilla.e2e.arena.RandomSeed;
import dev.flotilla.e2e.arena.WorkerSitesFixture;
import dev.flotilla.nodeworker.upgrade.UpgradeCrashPoint;
import dev.flotilla.runtime.process.CrashInjection;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.process.ChildProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kills and suspends workers of nodes that keep a call ledger. No attempt may call a node twice, every machine must
 * reach its target, and no guard annotation may be left.
 */
class WorkerKillIT {
    private static final int MACHINES = 12;
    private static final int KILLS = Integer.getInteger("flotilla.e2e.kills", 4);

    /** Longer than the session timeout of the consumer group. */
    private static final long FROZEN_MILLIS = 8_000;

    /** Crash points around the call, where most could go wrong; the other ones run nightly. */
    @Test
    void anotherWorkerContinuesAfterCrashPointsAroundTheCall() throws Exception {
        assertContinuesAfter(
                UpgradeCrashPoint.WROTE_STARTING,
                UpgradeCrashPoint.CALL,
                UpgradeCrashPoint.CALLED,
                UpgradeCrashPoint.WROTE_REFRESHING);
    }

    @Test
    @Tag("nightly")
    void anotherWorkerContinuesAfterEachCrashPoint() throws Exception {
        assertContinuesAfter(UpgradeCrashPoint.values());
    }

    private static void assertContinuesAfter(UpgradeCrashPoint... milestones) throws Exception {
        List<String> table = new ArrayList<>();
        try (LocalKafka kafka = LocalKafka.start();
                WorkerSitesFixture sites =
                        new WorkerSitesFixture("kill-worker", kafka.bootstrap(), milestones.length, 1);
                FakeOrchestrator fakeOrchestrator = new FakeOrchestrator(
                        kafka.bootstrap(), sites.fleet().kubeconfigs().keySet())) {
            Map<UpgradeCrashPoint, EmbeddedNode> nodes = new LinkedHashMap<>();
            Map<UpgradeCrashPoint, ChildProcess> doomed = new LinkedHashMap<>();
            for (UpgradeCrashPoint each : milestones) {
                EmbeddedNode node = worker(sites, "site-" + nodes.size());
                nodes.put(each, node);
                fakeOrchestrator.addTarget(node.machine(), sites.runOnEventLoop(node::uid));
                doomed.put(
                        each,
                        sites.startProcess(
                                site(node),
                                "dies-" + CrashInjection.label(each),
                                "-D" + CrashInjection.PROPERTY + "=" + CrashInjection.label(each)));
            }
            for (Map.Entry<UpgradeCrashPoint, ChildProcess> each : doomed.entrySet()) {
                fakeOrchestrator.await(
                        each.getKey() + " is reached", () -> !each.getValue().isAlive());
                assertThat(each.getValue().awaitExit()).isEqualTo(CrashInjection.EXIT);
                sites.startFastWorker(site(node(nodes, each.getKey())));
            }
            fakeOrchestrator.await("every machine to end", () -> fakeOrchestrator.succeeded() == milestones.length);
            for (UpgradeCrashPoint each : milestones) {
                EmbeddedNode node = node(nodes, each);
                table.add(String.format(
                        Locale.ROOT,
                        "%-16s %d call(s), %s",
                        CrashInjection.label(each),
                        sites.runOnEventLoop(() ->
                                sites.fleet().ledger().calls(node.machine()).size()),
                        fakeOrchestrator.attemptEnds(node.machine())));
            }
            assertThat(sites.runOnEventLoop(
                            () -> fakeOrchestrator.calledTwice(sites.fleet().ledger())))
                    .isEmpty();
            assertThat(sites.staleGuards()).isEmpty();
        }
        System.out.println("Workers killed at each crash point:\n  " + String.join("\n  ", table));
    }

    @Test
    void workersTakeOverFromKilledAndSuspendedOnes() throws Exception {
        Random chance = RandomSeed.createRandom(WorkerKillIT.class);
        int killed = 0;
        try (LocalKafka kafka = LocalKafka.start();
                WorkerSitesFixture sites = new WorkerSitesFixture("kill-workers", kafka.bootstrap(), 1, MACHINES);
                FakeOrchestrator fakeOrchestrator = new FakeOrchestrator(
                        kafka.bootstrap(), sites.fleet().kubeconfigs().keySet())) {
            List<ChildProcess> two = new ArrayList<>();
            IntStream.range(0, 2).forEach(i -> two.add(sites.startProcess("site-0", "first-" + i)));
            List<EmbeddedNode> nodes = sites.fleet().nodes().stream()
                    .filter(node -> node.role() == MachineRole.WORKER)
                    .toList();
            fakeOrchestrator.await("both", () -> two.stream().allMatch(ChildProcess::isReady));
            int wanted = 0;
            int each = Math.max(1, nodes.size() / (KILLS + 1));
            for (int i = 0; i <= KILLS; i++) {
                for (int j = 0; j < each && wanted < nodes.size(); j++, wanted++) {
                    EmbeddedNode node = nodes.get(wanted);
                    fakeOrchestrator.addTarget(node.machine(), sites.runOnEventLoop(node::uid));
                }
                long until = System.nanoTime() + (300 + chance.nextInt(3_500)) * 1_000_000L;
                fakeOrchestrator.await("an instant", () -> System.nanoTime() > until);
                int victim = chance.nextInt(2);
                if (i == KILLS) {
                    suspendAndResume(two.get(victim), fakeOrchestrator);
                } else {
                    two.get(victim).kill();
                    two.set(victim, sites.startProcess("site-0", "next-" + i));
                    killed++;
                }
            }
            while (wanted < nodes.size()) {
                EmbeddedNode node = nodes.get(wanted++);
                fakeOrchestrator.addTarget(node.machine(), sites.runOnEventLoop(node::uid));
            }
            fakeOrchestrator.await("both again", () -> two.stream().allMatch(ChildProcess::isReady));
            two.forEach(ChildProcess::terminate);
            two.forEach(ChildProcess::awaitExit);
            sites.startFastWorker("site-0");
            fakeOrchestrator.await("every machine to end", () -> fakeOrchestrator.succeeded() == nodes.size());
            List<String> ends = nodes.stream()
                    .flatMap(node -> fakeOrchestrator.attemptEnds(node.machine()).stream())
                    .toList();
            assertThat(sites.runOnEventLoop(
                            () -> fakeOrchestrator.calledTwice(sites.fleet().ledger())))
                    .isEmpty();
            assertThat(sites.staleGuards()).isEmpty();
            System.out.println("Workers killed " + killed + " times and frozen once: " + nodes.size() + " machines, "
                    + sites.runOnEventLoop(() -> sites.fleet().ledger().calls().size()) + " calls, attempts ended "
                    + ends);
        }
    }

    private static void suspendAndResume(ChildProcess worker, FakeOrchestrator fakeOrchestrator) {
        worker.suspend();
        long until = System.nanoTime() + FROZEN_MILLIS * 1_000_000;
        fakeOrchestrator.await("the consumer group to drop the worker", () -> System.nanoTime() > until);
        worker.resume();
    }

    private static EmbeddedNode worker(WorkerSitesFixture sites, String site) {
        return sites.fleet().nodes().stream()
                .filter(node -> node.role() == MachineRole.WORKER && site(node).equals(site))
                .findFirst()
                .orElseThrow();
    }

    private static EmbeddedNode node(Map<UpgradeCrashPoint, EmbeddedNode> nodes, UpgradeCrashPoint upgradeCrashPoint) {
        EmbeddedNode node = nodes.get(upgradeCrashPoint);
        if (node == null) {
            throw new IllegalArgumentException("no node for " + upgradeCrashPoint);
        }
        return node;
    }

    private static String site(EmbeddedNode node) {
        return node.machine().site().toString();
    }
}
