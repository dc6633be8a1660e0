package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Frozen;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import org.jspecify.annotations.Nullable;

/** What is said of a freeze: who froze, and why. */
final class Freezes {
    private Freezes() {}

    static Closed closed(String what, @Nullable Order order, @Nullable Policy policy) {
        return new Closed(GateLabel.FREEZE, "frozen", "not frozen", Frozen.text(what, order, policy));
    }
}
