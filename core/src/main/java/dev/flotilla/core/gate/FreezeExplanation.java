package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import org.jspecify.annotations.Nullable;

/** The explanation of a freeze: who froze, and why. */
final class FreezeExplanation {
    private FreezeExplanation() {}

    static ClosedGate closed(String what, @Nullable OperatorOrder order, @Nullable UpgradePolicy policy) {
        return new ClosedGate(GateLabel.FREEZE, "frozen", "not frozen", FreezeRule.describe(what, order, policy));
    }
}
