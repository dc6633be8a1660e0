package dev.flotilla.simulator.rollout;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The brain that decides in earnest, taken through virtual time as fast as it decides. Whatever happens at one instant happens
 * in the order in which it was caused.
 */
final class VirtualTimeRunner {
    private static final int MOST_DECISIONS = 1024;

    private final FleetDecider decider = FleetDecider.standard();
    private final DecisionEngine decisionEngine;
    private final DecisionMeter decisionMeter;
    private final Consumer<Decision> performing;
    private final List<Decision> decided = new ArrayList<>(MOST_DECISIONS);
    private final ScheduledReportQueue words = new ScheduledReportQueue();
    private List<Campaign> campaigns = List.of();
    private Instant now;
    private long offset;

    /**
     * From a state on.
     *
     * @param performing what comes of each decision
     */
    VirtualTimeRunner(FleetState state, Instant now, DecisionMeter decisionMeter, Consumer<Decision> performing) {
        this.decisionEngine = new DecisionEngine(decider, state);
        this.now = now;
        this.decisionMeter = decisionMeter;
        this.performing = performing;
    }

    FleetState state() {
        return decisionEngine.state();
    }

    GateChain gates() {
        return decider.gates();
    }

    /** The instant that has been reached. */
    Instant now() {
        return now;
    }

    /** Brings the state's counts up to date with its rows. */
    void recount() {
        decisionEngine.refreshDerivedState(now);
    }

    /** Brings in campaigns, and starts what may start at once. */
    void begin(List<Campaign> all) {
        campaigns = List.copyOf(all);
        campaigns.forEach(this::arrive);
        for (TimeZoneName zone : List.copyOf(state().neededTimeZones())) {
            TimeZoneRules rules = TimeZoneRules.fromJvm(zone, now);
            if (rules != null) {
                applyInput(new DecisionInput.TimeZoneRead(rules, now));
            }
        }
    }

    /** What a worker will say. */
    void scheduleReport(AttemptProgress word) {
        words.add(word);
    }

    /** What the worker that was given a command will say of it. */
    void scheduleReport(Instant at, WorkerCommand.UpgradeMachine command, AttemptReport report) {
        scheduleReport(new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, at));
    }

    void arrive(RowChange rowChange) {
        applyInput(new DecisionInput.RecordReceived(rowChange, 0, offset++, now));
    }

    void applyInput(DecisionInput input) {
        decisionMeter.decisionsStarted();
        int taken = decisionEngine.processInput(input, MOST_DECISIONS, decided::add);
        decisionMeter.decisionsMade(taken);
        perform();
        if (taken == MOST_DECISIONS) {
            due();
        }
    }

    /** Goes on until so many words have come, or until nothing happens any more, or nothing up to an instant. */
    void advance(long most, long until, Consumer<AttemptProgress> heard) {
        long left = most;
        for (long next = next(); next <= until && left > 0; next = next()) {
            now = Instant.ofEpochMilli(Math.max(next, now.toEpochMilli()));
            if (words.next() <= now.toEpochMilli()) {
                AttemptProgress word = words.poll();
                heard.accept(word);
                arrive(word);
                left--;
            } else if (due() == 0 && state().nextTimerAt() <= now.toEpochMilli()) {
                throw new IllegalStateException("a timer of " + now + " rings for ever");
            }
        }
    }

    private long next() {
        long next = Math.min(words.next(), state().nextTimerAt());
        for (Campaign campaign : campaigns) {
            Instant start = campaign.spec().startAt();
            if (start != null && start.isAfter(now)) {
                next = Math.min(next, start.toEpochMilli());
            }
        }
        return next;
    }

    private int due() {
        int all = 0;
        int some = MOST_DECISIONS;
        while (some == MOST_DECISIONS) {
            decisionMeter.decisionsStarted();
            some = decisionEngine.decideDueWork(now, MOST_DECISIONS, decided::add);
            decisionMeter.decisionsMade(some);
            perform();
            all += some;
        }
        return all;
    }

    private void perform() {
        decided.forEach(performing);
        decided.clear();
    }
}
