package dev.flotilla.core.gate;

import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import org.jspecify.annotations.Nullable;

/** What is said of a freeze: who froze, and why. */
final class Freezes {
    private Freezes() {}

    static Closed closed(String what, @Nullable Order order, @Nullable Policy policy) {
        boolean byOrder = order != null && order.freezes();
        String by = byOrder && order != null
                ? "by the order of " + order.who() + ": " + order.why()
                : "by its policy" + (policy == null || policy.frozenWhy() == null ? "" : ": " + policy.frozenWhy());
        return new Closed(GateLabel.FREEZE, "frozen", "not frozen", what + " is frozen " + by);
    }
}
