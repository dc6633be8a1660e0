package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/**
 * What an operator orders, with who and why.
 *
 * @param id tells one order from another of the same kind
 * @param campaignUid the campaign it is about, under a campaign's name; another uid is refused
 */
public record Order(
        OrderKey key,
        String id,
        String who,
        String why,
        @Nullable Long campaignUid,
        Verb verb) implements Row {

    /** What is ordered. */
    public enum Verb {
        RUN("run"),
        PAUSE("pause"),
        ABORT("abort"),
        APPROVE("approve"),
        SKIP("skip"),
        RETRY("retry"),
        FREEZE("freeze"),
        UNFREEZE("unfreeze"),
        ACCEPT_REMOVAL("accept-removal"),
        WRITE_OFF("write-off");

        private final String label;

        Verb(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.ORDERS, key);
    }
}
