package dev.flotilla.simulator.check;

import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.node.SimNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** How an attempt may end: by its worker's word about this attempt, and as a success only with the node at its target. */
final class EndRules {
    /** Instants of decisions are by the leader's clock, which may differ from the true time by so much. */
    private static final long CLOCK_MARGIN = 150_000;

    private final SimFleet fleet;
    private final Verdicts verdicts;
    private final Map<Long, Map<Class<?>, Report>> words = new HashMap<>();
    private final Refusals refusals;

    EndRules(SimFleet fleet, Verdicts verdicts) {
        this.fleet = fleet;
        this.verdicts = verdicts;
        this.refusals = new Refusals(verdicts);
    }

    /** A worker's word was committed. */
    void said(Progress progress) {
        words.computeIfAbsent(progress.attempt(), absent -> new LinkedHashMap<>())
                .put(progress.report().getClass(), progress.report());
        if (progress.report() instanceof Report.Failed failed) {
            Secrets.check(failed.text(), verdicts);
        }
    }

    /**
     * An attempt may have ended.
     *
     * @param vanished whether its machine is gone, which needs no word
     */
    void check(MachineStatus before, MachineStatus after, boolean vanished) {
        refusals.forget(after);
        Attempt ended = before.attempt();
        if (ended == null || (after.attempt() != null && after.attempt().number() == ended.number())) {
            return;
        }
        Map<Class<?>, Report> said = words.getOrDefault(ended.number(), Map.of());
        Entry entry = Recount.entry(after, ended.driver());
        if (entry != null && entry.outcome().atTarget()) {
            verdicts.require(
                    said.containsKey(Report.Succeeded.class),
                    Invariant.ENDING,
                    before.key() + " attempt " + ended.number() + " succeeded without its worker's word");
            proof(before, ended);
            refusals.over(before, ended.driver());
            return;
        }
        Failure failure = after.lastFailure();
        boolean lost = failure != null
                && failure.attempt() == ended.number()
                && (failure.reason() == FailureReason.NO_WORD || failure.reason() == FailureReason.WRITTEN_OFF);
        if (lost || said.containsKey(Report.Failed.class)) {
            refusals.over(before, ended.driver());
        } else if (entry != null
                && (said.containsKey(Report.NotNow.class)
                        || (said.containsKey(Report.Expired.class) && !ended.cancelled()))) {
            refusals.check(before, ended, entry);
        }
        boolean told = said.containsKey(Report.Failed.class)
                || said.containsKey(Report.Cancelled.class)
                || said.containsKey(Report.Expired.class)
                || said.containsKey(Report.NotNow.class)
                || said.containsKey(Report.Succeeded.class);
        verdicts.require(
                lost || told || vanished,
                Invariant.ENDING,
                before.key() + " attempt " + ended.number() + " ended without its worker's word");
        verdicts.require(
                !said.containsKey(Report.Succeeded.class) || entry == null || lost || outside(ended.driver(), entry),
                Invariant.ENDING,
                before.key() + " attempt " + ended.number() + " succeeded by its worker's word and ended otherwise");
    }

    private static boolean outside(Driver driver, Entry entry) {
        return entry.outcome().ended() && driver.equals(entry.driver());
    }

    private void proof(MachineStatus before, Attempt ended) {
        SimNode node = fleet.node(before.uid());
        verdicts.require(
                node != null && node.ranSince(ended.since().toEpochMilli() - CLOCK_MARGIN, ended.target()),
                Invariant.PROOF,
                before.key() + " attempt " + ended.number() + " counts as succeeded, but the node runs "
                        + (node == null ? "nothing" : node.revision()) + " and never ran " + ended.target());
    }
}
