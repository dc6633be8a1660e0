package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.simulator.world.SimTimeZones;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the leader of a term observes itself instead of reading it from an input: whether the clocks agree, which sites
 * have stopped or resumed sending heartbeats, and the rules of the time zones that campaigns need.
 */
final class SimLeaderTermObservations {
    private static final long CLOCK_COMPARISON_INTERVAL = 10_000;
    private static final long MAX_CLOCK_DIFFERENCE = 5000;

    private final VirtualClockScheduler scheduler;
    private final DecisionEngine decisionEngine;
    private final HeartbeatMonitor heartbeatMonitor;
    private boolean clocksAgree;
    private long clocksComparedAt;

    SimLeaderTermObservations(
            VirtualClockScheduler scheduler,
            DecisionEngine decisionEngine,
            HeartbeatMonitor heartbeatMonitor,
            boolean clocksAgree) {
        this.scheduler = scheduler;
        this.decisionEngine = decisionEngine;
        this.heartbeatMonitor = heartbeatMonitor;
        this.clocksAgree = clocksAgree;
    }

    /** Decides on what has changed since the last call. Returns the number of decisions. */
    int decide(Supplier<Instant> termClock, Consumer<Decision> written) {
        return compareClocks(termClock, written)
                + decideHeartbeatTransitions(termClock, written)
                + decideTimeZoneRules(termClock, written);
    }

    /**
     * Compares the time that decisions carry, which an earlier leader may have moved ahead of every clock, with the
     * broker's clock.
     */
    private int compareClocks(Supplier<Instant> termClock, Consumer<Decision> written) {
        long now = scheduler.now();
        if (now - clocksComparedAt < CLOCK_COMPARISON_INTERVAL) {
            return 0;
        }
        clocksComparedAt = now;
        boolean agree = Math.abs(termClock.get().toEpochMilli() - now) <= MAX_CLOCK_DIFFERENCE;
        if (agree == clocksAgree) {
            return 0;
        }
        clocksAgree = agree;
        return decisionEngine.processInput(new DecisionInput.ClockCompared(agree, termClock.get()), 0, written);
    }

    private int decideHeartbeatTransitions(Supplier<Instant> termClock, Consumer<Decision> written) {
        int decided = 0;
        for (DecisionInput edge : heartbeatMonitor.pollTransitions(scheduler.now(), termClock.get())) {
            decided += decisionEngine.processInput(edge, 0, written);
        }
        return decided;
    }

    /** Records a heartbeat that was read, and decides on it if it ends its site's silence. */
    int decideHeartbeat(
            SiteId site, long appendedAt, int most, Supplier<Instant> termClock, Consumer<Decision> written) {
        heartbeatMonitor.recordHeartbeat(site, appendedAt, scheduler.now());
        if (!heartbeatMonitor.endsSilence(site, appendedAt, scheduler.now())) {
            return 0;
        }
        return decisionEngine.processInput(new DecisionInput.HeartbeatResumed(site, termClock.get()), most, written);
    }

    private int decideTimeZoneRules(Supplier<Instant> termClock, Consumer<Decision> written) {
        int decided = 0;
        for (TimeZoneName zone : List.copyOf(decisionEngine.state().neededTimeZones())) {
            TimeZoneRules rules = SimTimeZones.rules(zone);
            if (rules != null && !rules.equals(decisionEngine.state().timeZoneRules(zone))) {
                decided +=
                        decisionEngine.processInput(new DecisionInput.TimeZoneRead(rules, termClock.get()), 0, written);
            }
        }
        return decided;
    }
}
