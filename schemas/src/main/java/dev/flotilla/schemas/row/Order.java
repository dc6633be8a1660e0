package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator orders, with who and why.
 *
 * @param table on which it stands. What belongs on another one is read all the same, so that it is refused in these words
 * @param id tells one order from another of the same kind
 * @param campaignUid the campaign it is about, under a campaign's name; another uid is refused
 * @param edition the edition of the campaign that whoever approves has looked at
 * @param otherUid the earlier campaign beside which the campaign may run, where an overlap is approved
 * @param lifts the ids of freezes on other tables that an order to unfreeze lifts with that of its own table
 */
public record Order(
        Table table,
        OrderKey key,
        String id,
        String who,
        String why,
        @Nullable Long campaignUid,
        @Nullable String edition,
        @Nullable Long otherUid,
        List<String> lifts,
        Verb verb)
        implements Row {
    /** By whom the auditor's orders are. On any other table than the auditor's own this name is refused. */
    public static final String AUDITOR = "auditor";

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
        WRITE_OFF("write-off"),
        ADOPT("adopt");

        private final String label;

        Verb(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public Order {
        lifts = List.copyOf(lifts);
    }

    /** One on the table where people write it. */
    public Order(
            OrderKey key,
            String id,
            String who,
            String why,
            @Nullable Long campaignUid,
            @Nullable String edition,
            @Nullable Long otherUid,
            Verb verb) {
        this(key.table(), key, id, who, why, campaignUid, edition, otherUid, List.of(), verb);
    }

    /** One that approves nothing. */
    public Order(OrderKey key, String id, String who, String why, @Nullable Long campaignUid, Verb verb) {
        this(key, id, who, why, campaignUid, null, null, verb);
    }

    /** The same, on another table. */
    public Order on(Table other) {
        return new Order(other, key, id, who, why, campaignUid, edition, otherUid, lifts, verb);
    }

    /** The same, lifting freezes on other tables too. */
    public Order lifting(List<String> ids) {
        return new Order(table, key, id, who, why, campaignUid, edition, otherUid, ids, verb);
    }

    /** Whether it stands on a table where it does not belong. */
    public boolean isMisplaced() {
        return !key.belongsOn(table);
    }

    /** Whether it says that it is the auditor's, on a table that is not the auditor's. */
    public boolean isInTheAuditorsName() {
        return isTheAuditors() && table != Table.AUDITOR_ORDERS;
    }

    /** Whether what it is about is frozen: under a freeze's key anything is a freeze but its lifting by a person. */
    public boolean freezes() {
        return key.table() == Table.FREEZES && (verb != Verb.UNFREEZE || isTheAuditors());
    }

    private boolean isTheAuditors() {
        return who.equals(AUDITOR);
    }

    @Override
    public RowKey at() {
        return new RowKey(table, key);
    }
}
