package dev.flotilla.simulator.node;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import org.jspecify.annotations.Nullable;

/** A single node with a caller. Its faults end after a day. */
final class SingleNodeFixture {
    static final int OLD = SnapReleases.OLDEST;
    static final int NEW = SnapReleases.OLDEST + 100;
    static final long MINUTE = 60_000;
    static final long HOUR = 60 * MINUTE;
    static final long FAULTS_END = VirtualClockScheduler.BEGIN + 24 * HOUR;
    static final long USUAL_DURATION = 5 * MINUTE;
    static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(USUAL_DURATION, 0);

    private static final MachineKey MACHINE = new MachineKey(new SiteId("north"), "fleet", "w-1");
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision(Integer.toString(NEW));

    final VirtualClockScheduler scheduler = new VirtualClockScheduler();
    final NodeCallLedger ledger = new NodeCallLedger();
    final SimNode node;

    SingleNodeFixture(NodeFaultProfile faultProfile) {
        this(faultProfile, 1);
    }

    SingleNodeFixture(NodeFaultProfile faultProfile, long seed) {
        node = new SimNode(
                "w-1",
                OLD,
                faultProfile,
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

    /** Calls the node. Returns the id of the change that starts. */
    String startRefresh() {
        return ((RefreshCallResult.ChangeStarted) call()).changeId();
    }

    /** Advances the clock. */
    SingleNodeFixture advance(long millis) {
        long end = scheduler.now() + millis;
        while (scheduler.step(end)) {
            // Each step is one event.
        }
        return this;
    }

    /** Advances the clock until the node is not busy any more, by a day at most. */
    SingleNodeFixture finishRefresh() {
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

    /** The status of a change, after waiting some minutes for the node to become reachable. */
    @Nullable
    String statusOnceReachable(String change) {
        for (int i = 0; i < 5 && !node.isReachable(); i++) {
            advance(MINUTE);
        }
        return node.status(change);
    }
}
