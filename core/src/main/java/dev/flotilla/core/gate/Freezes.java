package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Frozen;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import org.jspecify.annotations.Nullable;

/** What is said of a freeze: who froze, and why. */
final class Freezes {
    private Freezes() {}

    static Closed closed(String what, @Nullable OperatorOrder order, @Nullable UpgradePolicy policy) {
        return new Closed(GateLabel.FREEZE, "frozen", "not frozen", Frozen.text(what, order, policy));
    }
}
