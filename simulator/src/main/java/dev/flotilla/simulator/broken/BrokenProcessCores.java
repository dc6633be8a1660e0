package dev.flotilla.simulator.broken;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.leader.OrchestratorSafeguards;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import java.util.List;

/** Systems with the real core but a broken orchestrator, worker or log. */
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
                                "a leader continues from memory after a commit of unknown outcome",
                                new OrchestratorSafeguards(true, false, true, null, true))
                        .expectedToBreak(Invariant.SAME_ROWS),
                shell(
                                "uncommitted-rows-seen",
                                "a standby reads uncommitted records",
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
                                "machines in flight in an unread site are not counted",
                                new OrchestratorSafeguards(true, true, true, null, false))
                        .expectedToBreak(Invariant.FLEET_CAP),
                new BrokenCore(
                                "decisions-not-weighed",
                                "a leader sends records of any size",
                                SystemUnderTest.REAL
                                        .with(BrokenDeciderFactory::repeatPolicyPerMachine)
                                        .with(new OrchestratorSafeguards(
                                                true, true, true, null, true, false, true, true)))
                        .expectedToBreak(Invariant.REJECTED_RECORD),
                new BrokenCore(
                                "policy-journaled-per-machine",
                                "the decision that accepts a policy contains it once per machine",
                                SystemUnderTest.REAL.with(BrokenDeciderFactory::repeatPolicyPerMachine))
                        .expectedToBreak(Invariant.TOO_LARGE),
                shell(
                                "failures-retried-for-ever",
                                "a leader retries an impossible decision on an input forever",
                                new OrchestratorSafeguards(true, true, true, null, true, true, false, true))
                        .expectedToBreak(Invariant.PARKED),
                shell(
                                "due-work-retried-for-ever",
                                "a leader retries an impossible decision on due work forever",
                                new OrchestratorSafeguards(true, true, true, null, true, true, true, false))
                        .expectedToBreak(Invariant.PARKED),
                new BrokenCore(
                                "due-work-not-parked",
                                "no row records that due work is parked",
                                SystemUnderTest.REAL.with(BrokenDeciderFactory::ignoreParking))
                        .expectedToBreak(Invariant.PARKED),
                new BrokenCore(
                                "zombies-not-fenced",
                                "the writes of a fenced leader or worker are accepted",
                                SystemUnderTest.REAL.unfenced())
                        .expectedToBreak(Invariant.ZOMBIE, Invariant.SAME_ROWS),
                worker(
                                "old-command-executed",
                                "a worker that was cut off calls after its command lease has expired",
                                new WorkerSafeguards(false, true, true, true, true, true))
                        .expectedToBreak(Invariant.LEASE),
                worker(
                                "call-permit-not-checked",
                                "a worker calls long after its call permit was written",
                                new WorkerSafeguards(true, false, true, true, true, true))
                        .expectedToBreak(Invariant.ONE_CALL),
                worker(
                                "starts-on-stale-inventory",
                                "a worker does not check the cluster before it calls",
                                new WorkerSafeguards(true, true, false, true, true, true))
                        .expectedToBreak(Invariant.CONTROL_PLANE, Invariant.WORKERS),
                worker(
                                "second-call-after-unknown",
                                "a worker calls again although the outcome of its first call is unknown",
                                new WorkerSafeguards(true, true, true, false, true, true))
                        .expectedToBreak(Invariant.ONE_CALL),
                worker(
                                "done-without-proof",
                                "snapd's status Done counts as success",
                                new WorkerSafeguards(true, true, true, true, false, true))
                        .expectedToBreak(Invariant.PROOF),
                worker(
                                "cancel-ignored",
                                "a worker calls although its command is cancelled",
                                new WorkerSafeguards(true, true, true, true, true, false))
                        .expectedToBreak(Invariant.CANCELLED));
    }

    private static BrokenCore shell(String name, String what, OrchestratorSafeguards safeguards) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(safeguards));
    }

    private static BrokenCore worker(String name, String what, WorkerSafeguards safeguards) {
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(safeguards));
    }
}
