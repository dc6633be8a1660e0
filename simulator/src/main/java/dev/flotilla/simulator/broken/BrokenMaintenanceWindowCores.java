package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.function.BiPredicate;

/** Cores that evaluate maintenance windows wrongly. */
final class BrokenMaintenanceWindowCores {
    private static final long DAY = 86_400;

    private BrokenMaintenanceWindowCores() {}

    static List<BrokenCore> all() {
        return List.of(
                opens("window-ignored", "machines are started at any hour", (candidate, closedGate) -> true)
                        .expectedToBreak(Invariant.WINDOW),
                opens(
                                "window-fit-ignored",
                                "an open window allows a start that takes longer than the window",
                                (candidate, closedGate) ->
                                        !closedGate.required().equals("open"))
                        .expectedToBreak(Invariant.WINDOW),
                opens(
                                "unknown-zone-opens",
                                "machines are started at any hour if the time zone is unknown",
                                (candidate, closedGate) -> closedGate.message().contains("time zone"))
                        .expectedToBreak(Invariant.WINDOW),
                opens(
                                "hour-counted-twice",
                                "a window opens a second time when clocks go back",
                                (candidate, closedGate) -> isShown(candidate))
                        .expectedToBreak(Invariant.WINDOW),
                new BrokenCore(
                                "window-end-forgotten",
                                "a command lease outlasts its window",
                                SystemUnderTest.REAL.with(() -> BrokenMaintenanceWindowCores::outlasting))
                        .expectedToBreak(Invariant.WINDOW_CALL));
    }

    private static BrokenCore opens(String name, String what, BiPredicate<StartCandidate, ClosedGate> wrongly) {
        GateChain broken = GateChain.standard()
                .with(
                        GateLabel.MAINTENANCE_WINDOW,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate) || wrongly.test(candidate, gate.explain(candidate)),
                                gate.explain()));
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> new FleetDecider(broken)));
    }

    /** Whether the clocks show a time within a window now, and will until the expected end. */
    private static boolean isShown(StartCandidate candidate) {
        TimeZoneName zone = candidate.state().timeZoneOf(candidate.cluster());
        TimeZoneRules rules = zone == null ? null : ((FleetState) candidate.state()).timeZoneRules(zone);
        if (rules == null || !(candidate.rollout() instanceof CampaignRollout campaign)) {
            return false;
        }
        long offset = rules.initialOffsetSeconds();
        for (TimeZoneRules.OffsetTransition transition : rules.transitions()) {
            offset = transition.at().isAfter(candidate.now()) ? offset : transition.offsetSeconds();
        }
        long shown = Math.floorMod(candidate.now().getEpochSecond() + offset, DAY);
        long takes = candidate.expectedDurationMillis() / 1000;
        for (MaintenanceWindow window : campaign.spec().windows()) {
            if (window.timeZone() == null
                    && shown >= window.fromMinute() * 60L
                    && shown + takes <= window.toMinute() * 60L) {
                return true;
            }
        }
        return false;
    }

    private static Decision outlasting(FleetState state, DecisionInput input) {
        Decision decision = FleetDecider.standard().decide(state, input);
        if (decision.event() != DecisionEvent.ATTEMPT_ADMITTED) {
            return decision;
        }
        return DecisionRewriter.each(
                decision,
                rowChange -> rowChange instanceof WorkerCommand.UpgradeMachine command
                        ? command.withLeaseUntil(decision.at().plus(CommandLeaseTimeouts.DURATION))
                        : rowChange);
    }
}
