package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Frozen;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import java.util.List;

/** What closes the whole fleet. */
final class FleetGates {
    static final OperatorOrderKey FREEZE = new OperatorOrderKey.FreezeFleet();

    private FleetGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.NO_POLICY,
                        Level.FLEET,
                        Gate.Hold.NO_RENEWAL,
                        c -> c.state().policy(FleetScope.FLEET) != null,
                        c -> new Closed(
                                GateLabel.NO_POLICY,
                                "none",
                                "a policy of the fleet",
                                "There is no policy for the fleet: write one to flotilla.policies under the key fleet.")),
                new Gate(
                        GateLabel.REJECTED_INPUT,
                        Level.FLEET,
                        Gate.Hold.TAKES_BACK,
                        c -> RejectedInput.closedOn(c.state(), FREEZE) == null,
                        c -> RejectedInput.closed(c.state(), FREEZE)),
                new Gate(
                        GateLabel.FREEZE,
                        Level.FLEET,
                        Gate.Hold.TAKES_BACK,
                        c -> !isFrozen(c),
                        c -> Freezes.closed(
                                "The fleet",
                                c.state().orders().freeze(FREEZE),
                                c.state().policy(FleetScope.FLEET))),
                new Gate(
                        GateLabel.CLOCK,
                        Level.FLEET,
                        Gate.Hold.NO_RENEWAL,
                        c -> c.state().head().clockInSync(),
                        c -> new Closed(
                                GateLabel.CLOCK,
                                "more than 5 s apart",
                                "at most 5 s apart",
                                "The leader's clock and the broker's differ by more than 5 s: mend the clock.")));
    }

    private static boolean isFrozen(Candidate c) {
        return Frozen.is(c.state().orders().freeze(FREEZE), c.state().policy(FleetScope.FLEET));
    }
}
