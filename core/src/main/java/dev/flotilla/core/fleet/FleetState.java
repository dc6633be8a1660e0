package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;

/** All rows that matter to a decision, and what is derived from them. */
public final class FleetState {
    private FleetHead head = FleetHead.NONE;

    /** Takes a fact in. The only way the state changes. */
    public void put(Fact fact) {
        if (fact instanceof FleetHead next) {
            head = next;
        }
    }

    public FleetHead head() {
        return head;
    }

    /** A hash over all rows held, the same whatever the order in which they came. */
    public long hash() {
        return head.seq();
    }
}
