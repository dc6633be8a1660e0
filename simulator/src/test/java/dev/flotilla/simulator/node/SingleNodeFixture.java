package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import org.jspecify.annotations.Nullable;

/** A node with nobody around it but who calls. Its faults end after a day. */
final class SingleNodeFixture {
    static final int OLD = SnapReleases.OLDEST;
    static final int NEW = SnapReleases.OLDEST + 100;
    static final long MINUTE = 60_000;
    static final long HOUR = 60 * MINUTE;
    static final long FAULTS_END = VirtualClockScheduler.BEGIN + 24 * HOUR;
    static final long USUAL = 5 * MINUTE;
    static final NodeFaultProfile CALM = NodeFaultProfile.withoutFaults(USUAL, 0);

    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "w-1");
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision(Integer.toString(NEW));

    final VirtualClockScheduler scheduler = new VirtualClockScheduler();
    final NodeCallLedger ledger = new NodeCallLedger();
    final SimNode node;

    SingleNodeFixture(NodeFaultProfile temper) {
        this(temper, 1);
    }

    SingleNodeFixture(NodeFaultProfile temper, long seed) {
        node = new SimNode(
                "w-1",
                OLD,
                temper,
                scheduler,
                new Transcript(scheduler, false),
                ledger,
                new SeededRandom(seed),
                FAULTS_END,
                1);
    }

    RefreshCallResult call() {
        return node.refresh(MACHINE, TARGET, ledger.calls().size(), "worker");
    }

    /** Calls and gives the id of the change that begins. */
    String begin() {
        return ((RefreshCallResult.ChangeStarted) call()).changeId();
    }

    /** Lets so much time go by. */
    SingleNodeFixture pass(long millis) {
        long end = scheduler.now() + millis;
        while (scheduler.step(end)) {
            // Each step is one event.
        }
        return this;
    }

    /** Lets time go by until the node is busy no more, a day at the most. */
    SingleNodeFixture settle() {
        long end = scheduler.now() + 24 * HOUR;
        while (node.isRefreshing() && scheduler.step(end)) {
            // Each step is one event.
        }
        return this;
    }

    @Nullable
    String status(String change) {
        return node.status(change);
    }

    /** Whoever asks waits for the node to be there, for some minutes. */
    @Nullable
    String statusOnceReachable(String change) {
        for (int i = 0; i < 5 && !node.isReachable(); i++) {
            pass(MINUTE);
        }
        return node.status(change);
    }
}
