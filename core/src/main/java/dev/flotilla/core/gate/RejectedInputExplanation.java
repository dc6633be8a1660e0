package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is said of a record that was refused and closes what it is about all the same. */
final class RejectedInputExplanation {
    /** Where a freeze may stand, and where earlier versions wrote it. */
    private static final List<Table> FREEZES = List.of(Table.FREEZES, Table.AUDITOR_ORDERS, Table.ORDERS);

    private RejectedInputExplanation() {}

    /** The table whose newest record of a freeze closes its scope: it cannot be read, or it freezes where no freeze belongs. */
    static @Nullable Table closedOn(FleetState state, OperatorOrderKey key) {
        if (state.hasUnreadable()) {
            for (Table table : FREEZES) {
                if (state.isUnreadable(new RowKey(table, key))) {
                    return table;
                }
            }
        }
        return state.orders().misplacedFreeze(key) == null ? null : Table.ORDERS;
    }

    /** A freeze that cannot be read, or that stands where no freeze belongs. */
    static ClosedGate closed(FleetState state, OperatorOrderKey key) {
        Table table = Objects.requireNonNullElse(closedOn(state, key), key.table());
        String topic = Topic.of(table).name();
        OperatorOrder misplaced = state.orders().misplacedFreeze(key);
        return misplaced == null || state.isUnreadable(new RowKey(table, key))
                ? closed(key.toString(), topic)
                : new ClosedGate(
                        GateLabel.REJECTED_INPUT,
                        "a freeze on " + topic,
                        "no freeze on " + topic,
                        "The order " + misplaced.id() + " of " + misplaced.requestedBy() + " freezes " + key + " on "
                                + topic
                                + ", where no freeze belongs: write it to " + Topic.of(key.table())
                                + ", or lift it with an order there that names its id in \"lifts\".");
    }

    static ClosedGate closed(String key, String topic) {
        return new ClosedGate(
                GateLabel.REJECTED_INPUT,
                "unreadable",
                "a readable record",
                "The newest record of " + key + " on " + topic
                        + " cannot be read (see flotilla.rejected): write it again. A tombstone opens nothing.");
    }
}
