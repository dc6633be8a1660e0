package dev.flotilla.simulator.rollout;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
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
 * Runs the real decision engine through virtual time as fast as it decides. Events of one instant occur in the order in
 * which they were caused.
 */
final class VirtualTimeRunner {
    private static final int MAX_DECISIONS = 1024;

    private final FleetDecider decider = FleetDecider.standard();
    private final DecisionEngine decisionEngine;
    private final DecisionMeter decisionMeter;
    private final Consumer<Decision> onDecision;
    private final List<Decision> decided = new ArrayList<>(MAX_DECISIONS);
    private final ScheduledReportQueue reports = new ScheduledReportQueue();
    private List<Campaign> campaigns = List.of();
    private Instant now;
    private long offset;

    /**
     * Starts from a state.
     *
     * @param performing receives each decision
     */
    VirtualTimeRunner(FleetState state, Instant now, DecisionMeter decisionMeter, Consumer<Decision> performing) {
        this.decisionEngine = new DecisionEngine(decider, state);
        this.now = now;
        this.decisionMeter = decisionMeter;
        this.onDecision = performing;
    }

    FleetState state() {
        return decisionEngine.state();
    }

    GateChain gates() {
        return decider.gates();
    }

    /** The current virtual time. */
    Instant now() {
        return now;
    }

    /** Brings the state's derived counts up to date with its rows. */
    void recount() {
        decisionEngine.refreshDerivedState(now);
    }

    /** Adds campaigns, and starts what may start at once. */
    void begin(List<Campaign> all) {
        campaigns = List.copyOf(all);
        campaigns.forEach(this::receiveRecord);
        for (TimeZoneName zone : List.copyOf(state().neededTimeZones())) {
            TimeZoneRules rules = TimeZoneRules.fromJvm(zone, now);
            if (rules != null) {
                applyInput(new DecisionInput.TimeZoneRead(rules, now));
            }
        }
    }

    /** Schedules a worker's report. */
    void scheduleReport(AttemptProgress progress) {
        reports.add(progress);
    }

    /** Schedules a worker's report about a command. */
    void scheduleReport(Instant at, WorkerCommand.UpgradeMachine command, AttemptReport report) {
        scheduleReport(new AttemptProgress(command.key(), command.uid(), command.attemptId(), report, at));
    }

    void receiveRecord(RowChange rowChange) {
        applyInput(new DecisionInput.RecordReceived(rowChange, 0, offset++, now));
    }

    void applyInput(DecisionInput input) {
        decisionMeter.decisionsStarted();
        int decisions = decisionEngine.processInput(input, MAX_DECISIONS, decided::add);
        decisionMeter.decisionsMade(decisions);
        perform();
        if (decisions == MAX_DECISIONS) {
            decideDueWork();
        }
    }

    /** Runs until a number of reports have arrived, nothing more happens, or nothing more happens up to an instant. */
    void advance(long most, long until, Consumer<AttemptProgress> onReport) {
        long left = most;
        for (long next = next(); next <= until && left > 0; next = next()) {
            now = Instant.ofEpochMilli(Math.max(next, now.toEpochMilli()));
            if (reports.next() <= now.toEpochMilli()) {
                AttemptProgress progress = reports.poll();
                onReport.accept(progress);
                receiveRecord(progress);
                left--;
            } else if (decideDueWork() == 0 && state().dueWork().nextTimerAt() <= now.toEpochMilli()) {
                throw new IllegalStateException("the timer for " + now + " is never cleared");
            }
        }
    }

    private long next() {
        long next = Math.min(reports.next(), state().dueWork().nextTimerAt());
        for (Campaign campaign : campaigns) {
            Instant start = campaign.spec().startAt();
            if (start != null && start.isAfter(now)) {
                next = Math.min(next, start.toEpochMilli());
            }
        }
        return next;
    }

    private int decideDueWork() {
        int total = 0;
        int decisions = MAX_DECISIONS;
        while (decisions == MAX_DECISIONS) {
            decisionMeter.decisionsStarted();
            decisions = decisionEngine.decideDueWork(now, MAX_DECISIONS, decided::add);
            decisionMeter.decisionsMade(decisions);
            perform();
            total += decisions;
        }
        return total;
    }

    private void perform() {
        decided.forEach(onDecision);
        decided.clear();
    }
}
