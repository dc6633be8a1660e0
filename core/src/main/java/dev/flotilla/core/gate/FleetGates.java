package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import java.util.List;

/** The gates of the whole fleet. */
final class FleetGates {
    static final OperatorOrderKey FREEZE = new OperatorOrderKey.FreezeFleet();

    private FleetGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.NO_POLICY,
                        GateLevel.FLEET,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> c.state().policy(FleetScope.FLEET) != null,
                        c -> new ClosedGate(
                                GateLabel.NO_POLICY,
                                "none",
                                "a policy of the fleet",
                                "There is no policy for the fleet, so nothing starts: run flotilla policy apply FILE.")),
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        GateLevel.FLEET,
                        Gate.LeaseEffect.REVOKE,
                        c -> GateMessages.tableOfClosingFreeze(c.state(), FREEZE) == null,
                        c -> GateMessages.rejectedFreeze(c.state(), FREEZE)),
                new Gate(
                        GateLabel.FREEZE,
                        GateLevel.FLEET,
                        Gate.LeaseEffect.REVOKE,
                        c -> !isFrozen(c),
                        c -> GateMessages.frozen(
                                "The fleet",
                                c.state().orders().freeze(FREEZE),
                                c.state().policy(FleetScope.FLEET))),
                new Gate(
                        GateLabel.CLOCK_SKEW,
                        GateLevel.FLEET,
                        Gate.LeaseEffect.STOP_RENEWAL,
                        c -> c.state().head().clockInSync(),
                        c -> new ClosedGate(
                                GateLabel.CLOCK_SKEW,
                                "more than 5 s apart",
                                "at most 5 s apart",
                                "The clocks of the leader and the broker differ by more than 5 s: repair time synchronization.")));
    }

    private static boolean isFrozen(StartCandidate c) {
        return FreezeRule.isFrozen(c.state().orders().freeze(FREEZE), c.state().policy(FleetScope.FLEET));
    }
}
