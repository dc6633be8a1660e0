package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.start.FleetStateReader;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The explanation of a rejected record that closes its scope. */
final class RejectedInputExplanation {
    /** The tables that may hold a freeze, including those of earlier versions. */
    private static final List<Table> FREEZES = List.of(Table.FREEZES, Table.AUDITOR_ORDERS, Table.ORDERS);

    private RejectedInputExplanation() {}

    /**
     * The table whose newest freeze record closes its scope: the record is unreadable, or the table does not accept
     * freezes. Null for none.
     */
    static @Nullable Table closedOn(FleetStateReader state, OperatorOrderKey key) {
        if (state.hasUnreadable()) {
            for (Table table : FREEZES) {
                if (state.isUnreadable(new RowKey(table, key))) {
                    return table;
                }
            }
        }
        return state.orders().misplacedFreeze(key) == null ? null : Table.ORDERS;
    }

    /** Explains an unreadable freeze, or a freeze in a table that does not accept freezes. */
    static ClosedGate closed(FleetStateReader state, OperatorOrderKey key) {
        Table table = Objects.requireNonNullElse(closedOn(state, key), key.table());
        String topic = Topic.of(table).name();
        OperatorOrder misplaced = state.orders().misplacedFreeze(key);
        return misplaced == null || state.isUnreadable(new RowKey(table, key))
                ? closed(key.toString(), topic)
                : new ClosedGate(
                        GateLabel.REJECTED_INPUT,
                        "a freeze on " + topic,
                        "no freeze on " + topic,
                        "Order " + misplaced.id() + " of " + misplaced.requestedBy() + " freezes " + key + " on topic "
                                + topic
                                + ", which does not accept freezes: write it to topic " + Topic.of(key.table())
                                + ", or lift it with an order on that topic that names its id in \"liftedFreezes\".");
    }

    static ClosedGate closed(String key, String topic) {
        return new ClosedGate(
                GateLabel.REJECTED_INPUT,
                "unreadable",
                "a readable record",
                "The newest record of " + key + " on topic " + topic
                        + " cannot be read (see flotilla rejected list): write it again. A tombstone does not open this gate.");
    }
}
