package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import java.util.List;

/** Small rows to write, and what a reader finds of them, as text: {@code north=1}, without a value where it is gone. */
final class LoggedOrders {
    static final Place PLACE = Place.of(Table.FREEZES);

    private LoggedOrders() {}

    static Order row(String site, int value) {
        return new Order(
                new OrderKey.SiteFreeze(new SiteId(site)), "order-" + value, "me", "", null, Order.Verb.FREEZE);
    }

    static Gone gone(String site) {
        return new Gone(key(site));
    }

    static RowKey key(String site) {
        return row(site, 0).at();
    }

    static List<String> text(List<LogReader.Fetched> fetched) {
        return fetched.stream().map(one -> text(one.logged())).toList();
    }

    /** What somebody reads who begins at the beginning. */
    static List<String> all(SimLog log) {
        return text(new LogReader(log).upTo(PLACE, Long.MAX_VALUE));
    }

    private static String text(LogRecord logged) {
        String site = ((OrderKey.SiteFreeze) logged.key().key()).site().name();
        return site + "=" + (logged.fact() instanceof Order order ? order.id().substring("order-".length()) : "");
    }
}
