package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import org.jspecify.annotations.Nullable;

/** Whether a scope is frozen, by whom, and why. */
public final class FreezeRule {
    private FreezeRule() {}

    /**
     * Whether an order or a policy of a scope freezes it.
     *
     * @param order the freeze in force; null for none
     */
    public static boolean isFrozen(@Nullable OperatorOrder order, @Nullable UpgradePolicy policy) {
        return (policy != null && policy.frozen()) || order != null;
    }

    /**
     * Describes a freeze with author and reason.
     *
     * @param what is frozen
     * @param order the freeze in force; null for none
     */
    public static String describe(String what, @Nullable OperatorOrder order, @Nullable UpgradePolicy policy) {
        String by = order != null
                ? "by the order " + (order.table() == Table.AUDITOR_ORDERS ? order.id() + " " : "") + "of "
                        + order.requestedBy() + ": " + order.reason()
                : "by its policy"
                        + (policy == null || policy.frozenReason() == null ? "" : ": " + policy.frozenReason());
        return what + " is frozen " + by;
    }
}
