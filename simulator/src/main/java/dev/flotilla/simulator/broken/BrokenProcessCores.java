package dev.flotilla.simulator.broken;

import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.leader.OrchestratorSafeguards;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import java.util.List;

/** A good core in a bad shell: orchestrators, workers and logs that do not keep to their part. */
final class BrokenProcessCores {
    private BrokenProcessCores() {}

    static List<BrokenCore> all() {
        return List.of(
                shell(
                                "offsets-not-restored",
                                "a new leader reads its inputs from their end",
                                new OrchestratorSafeguards(false, true, true, null, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "goes-on-from-memory",
                                "a leader goes on after a commit of unknown outcome",
                                new OrchestratorSafeguards(true, false, true, null, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "uncommitted-rows-seen",
                                "a standby reads what was never committed",
                                new OrchestratorSafeguards(true, true, false, null, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "standby-forgets-status",
                                "a standby does not read the status rows",
                                new OrchestratorSafeguards(true, true, true, Table.STATUS, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "standby-forgets-orders",
                                "a standby does not read the orders",
                                new OrchestratorSafeguards(true, true, true, Table.ORDERS, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "standby-forgets-freezes",
                                "a standby does not read the freezes",
                                new OrchestratorSafeguards(true, true, true, Table.FREEZES, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "unread-site-not-counted",
                                "what is in flight in a site that a new leader could not read is counted nowhere",
                                new OrchestratorSafeguards(true, true, true, null, false))
                        .expectedToBreak(Invariant.FLEET_CAP),
                new BrokenCore(
                                "decisions-not-weighed",
                                "a leader sends whatever it has decided, at any size",
                                SystemUnderTest.REAL
                                        .with(BrokenDeciderFactory::tellsAllWithThePolicy)
                                        .with(new OrchestratorSafeguards(
                                                true, true, true, null, true, false, true, true)))
                        .expectedToBreak(Invariant.REFUSED_RECORD),
                new BrokenCore(
                                "all-told-in-one-decision",
                                "a policy is told of every machine in the decision that takes it",
                                SystemUnderTest.REAL.with(BrokenDeciderFactory::tellsAllWithThePolicy))
                        .expectedToBreak(Invariant.TOO_LARGE),
                shell(
                                "failures-retried-for-ever",
                                "a leader tries what it cannot decide on until it can",
                                new OrchestratorSafeguards(true, true, true, null, true, true, false, true))
                        .expectedToBreak(Invariant.PARKED),
                shell(
                                "due-work-retried-for-ever",
                                "a leader tries what is due and cannot be decided until it can",
                                new OrchestratorSafeguards(true, true, true, null, true, true, true, false))
                        .expectedToBreak(Invariant.PARKED),
                new BrokenCore(
                                "due-work-not-parked",
                                "no row says that what is due about something cannot be decided",
                                SystemUnderTest.REAL.with(BrokenDeciderFactory::parksNothing))
                        .expectedToBreak(Invariant.PARKED),
                new BrokenCore(
                                "zombies-not-fenced",
                                "an old leader's and an old worker's writes count",
                                SystemUnderTest.REAL.unfenced())
                        .expectedToBreak(Invariant.ZOMBIE, Invariant.SAME_ROWS),
                worker(
                                "old-command-executed",
                                "a worker that was cut off calls after its command's end",
                                new WorkerSafeguards(false, true, true, true, true, true))
                        .expectedToBreak(Invariant.LICENCE),
                worker(
                                "licence-not-checked",
                                "a worker calls long after its licence was written",
                                new WorkerSafeguards(true, false, true, true, true, true))
                        .expectedToBreak(Invariant.ONE_CALL),
                worker(
                                "starts-on-stale-inventory",
                                "a worker does not look at the cluster before it calls",
                                new WorkerSafeguards(true, true, false, true, true, true))
                        .expectedToBreak(Invariant.CONTROL_PLANE, Invariant.WORKERS),
                worker(
                                "second-call-after-unknown",
                                "a worker calls again where nobody knows what came of the first call",
                                new WorkerSafeguards(true, true, true, false, true, true))
                        .expectedToBreak(Invariant.ONE_CALL),
                worker(
                                "done-without-proof",
                                "snapd's Done is taken for success",
                                new WorkerSafeguards(true, true, true, true, false, true))
                        .expectedToBreak(Invariant.PROOF),
                worker(
                                "cancel-ignored",
                                "a worker calls though it was told not to",
                                new WorkerSafeguards(true, true, true, true, true, false))
                        .expectedToBreak(Invariant.TAKEN_BACK));
    }

    private static BrokenCore shell(String name, String what, OrchestratorSafeguards habits) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(habits));
    }

    private static BrokenCore worker(String name, String what, WorkerSafeguards habits) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(habits));
    }
}
