package dev.flotilla.simulator.broken;

import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.leader.ShellHabits;
import dev.flotilla.simulator.run.Variant;
import dev.flotilla.simulator.worker.WorkerHabits;
import java.util.List;

/** A good core in a bad shell: orchestrators, workers and logs that do not keep to their part. */
final class BrokenShells {
    private BrokenShells() {}

    static List<BrokenCore> all() {
        return List.of(
                shell(
                                "offsets-not-restored",
                                "a new leader reads its inputs from their end",
                                new ShellHabits(false, true, true, null, true))
                        .caughtBy(Invariant.SAME_ROWS),
                shell(
                                "goes-on-from-memory",
                                "a leader goes on after a commit of unknown outcome",
                                new ShellHabits(true, false, true, null, true))
                        .caughtBy(Invariant.SAME_ROWS),
                shell(
                                "uncommitted-rows-seen",
                                "a standby reads what was never committed",
                                new ShellHabits(true, true, false, null, true))
                        .caughtBy(Invariant.SAME_ROWS),
                shell(
                                "standby-forgets-status",
                                "a standby does not read the status rows",
                                new ShellHabits(true, true, true, Table.STATUS, true))
                        .caughtBy(Invariant.SAME_ROWS),
                shell(
                                "standby-forgets-orders",
                                "a standby does not read the orders",
                                new ShellHabits(true, true, true, Table.ORDERS, true))
                        .caughtBy(Invariant.SAME_ROWS),
                shell(
                                "standby-forgets-freezes",
                                "a standby does not read the freezes",
                                new ShellHabits(true, true, true, Table.FREEZES, true))
                        .caughtBy(Invariant.SAME_ROWS),
                shell(
                                "unread-site-not-counted",
                                "what is in flight in a site that a new leader could not read is counted nowhere",
                                new ShellHabits(true, true, true, null, false))
                        .caughtBy(Invariant.FLEET_CAP),
                new BrokenCore(
                                "decisions-not-weighed",
                                "a leader sends whatever it has decided, at any size",
                                Variant.REAL
                                        .with(BrokenDecisions::tellsAllWithThePolicy)
                                        .with(new ShellHabits(true, true, true, null, true, false, true, true)))
                        .caughtBy(Invariant.REFUSED_RECORD),
                new BrokenCore(
                                "all-told-in-one-decision",
                                "a policy is told of every machine in the decision that takes it",
                                Variant.REAL.with(BrokenDecisions::tellsAllWithThePolicy))
                        .caughtBy(Invariant.TOO_LARGE),
                shell(
                                "failures-retried-for-ever",
                                "a leader tries what it cannot decide on until it can",
                                new ShellHabits(true, true, true, null, true, true, false, true))
                        .caughtBy(Invariant.PARKED),
                shell(
                                "due-work-retried-for-ever",
                                "a leader tries what is due and cannot be decided until it can",
                                new ShellHabits(true, true, true, null, true, true, true, false))
                        .caughtBy(Invariant.PARKED),
                new BrokenCore(
                                "due-work-not-parked",
                                "no row says that what is due about something cannot be decided",
                                Variant.REAL.with(BrokenDecisions::parksNothing))
                        .caughtBy(Invariant.PARKED),
                new BrokenCore(
                                "zombies-not-fenced",
                                "an old leader's and an old worker's writes count",
                                Variant.REAL.unfenced())
                        .caughtBy(Invariant.ZOMBIE, Invariant.SAME_ROWS),
                worker(
                                "old-command-executed",
                                "a worker that was cut off calls after its command's end",
                                new WorkerHabits(false, true, true, true, true, true))
                        .caughtBy(Invariant.LICENCE),
                worker(
                                "licence-not-checked",
                                "a worker calls long after its licence was written",
                                new WorkerHabits(true, false, true, true, true, true))
                        .caughtBy(Invariant.ONE_CALL),
                worker(
                                "starts-on-stale-inventory",
                                "a worker does not look at the cluster before it calls",
                                new WorkerHabits(true, true, false, true, true, true))
                        .caughtBy(Invariant.CONTROL_PLANE, Invariant.WORKERS),
                worker(
                                "second-call-after-unknown",
                                "a worker calls again where nobody knows what came of the first call",
                                new WorkerHabits(true, true, true, false, true, true))
                        .caughtBy(Invariant.ONE_CALL),
                worker(
                                "done-without-proof",
                                "snapd's Done is taken for success",
                                new WorkerHabits(true, true, true, true, false, true))
                        .caughtBy(Invariant.PROOF),
                worker(
                                "cancel-ignored",
                                "a worker calls though it was told not to",
                                new WorkerHabits(true, true, true, true, true, false))
                        .caughtBy(Invariant.TAKEN_BACK));
    }

    private static BrokenCore shell(String name, String what, ShellHabits habits) {
        return new BrokenCore(name, what, Variant.REAL.with(habits));
    }

    private static BrokenCore worker(String name, String what, WorkerHabits habits) {
        return new BrokenCore(name, what, Variant.REAL.with(habits));
    }
}
