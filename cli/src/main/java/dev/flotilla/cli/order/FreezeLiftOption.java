package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * Freezes that an unfreeze order lifts. The order lifts the freeze on its own topic. It lifts a freeze on another
 * topic, such as the auditor's, only if it names its id, so that an operator has read what they lift.
 */
final class FreezeLiftOption {
    @Option(
            names = "--unfreeze-id",
            paramLabel = "ID",
            description = "Also lift this freeze on another topic: the auditor's, or one that an earlier version wrote"
                    + " to" + " flotilla.orders. May be repeated.")
    private List<String> ids = new ArrayList<>();

    int unfreeze(
            OrderOptions options,
            FleetKafkaClient kafka,
            Terminal terminal,
            OperatorOrderKey key,
            String what,
            String done) {
        FleetState state = kafka.read(List.of(), Table.FREEZES, Table.AUDITOR_ORDERS, Table.ORDERS, Table.REJECTED)
                .state();
        Map<String, OperatorOrder> elsewhere = freezesOnOtherTopics(state, key);
        for (String id : ids) {
            if (!elsewhere.containsKey(id)) {
                return options.reportNotApplied(
                        terminal,
                        what,
                        "there is no freeze " + id + " of " + what + " on a topic other than " + Topic.of(key.table()));
            }
        }
        Set<String> lifts = new LinkedHashSet<>(ids);
        OperatorOrder own = state.orders().get(key);
        if (own != null && !own.isFreeze()) {
            own.liftedFreezes().stream().filter(elsewhere::containsKey).forEach(lifts::add);
        }
        for (OperatorOrder other : elsewhere.values()) {
            if (!lifts.contains(other.id())) {
                return options.reportNotApplied(terminal, what, describeRemainingFreeze(what, other));
            }
        }
        return options.unfreeze(kafka, terminal, key, List.copyOf(lifts), what, done);
    }

    private static Map<String, OperatorOrder> freezesOnOtherTopics(FleetState state, OperatorOrderKey key) {
        Map<String, OperatorOrder> found = new LinkedHashMap<>();
        for (Table table : List.of(Table.AUDITOR_ORDERS, Table.ORDERS)) {
            OperatorOrder order = state.orders().get(new RowKey(table, key));
            if (order != null && order.isFreeze()) {
                found.put(order.id(), order);
            }
        }
        return found;
    }

    private static String describeRemainingFreeze(String what, OperatorOrder other) {
        return what + " is frozen by the order " + other.id() + " of " + other.requestedBy() + " on "
                + Topic.of(other.table()) + " too: " + other.reason() + ". Nothing was written. To lift it as well,"
                + " add --unfreeze-id "
                + other.id();
    }
}
