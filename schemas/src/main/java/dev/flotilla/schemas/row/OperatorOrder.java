package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.OperatorOrderKey;
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
 * @param contentHash the edition of the campaign that whoever approves has looked at
 * @param otherCampaignUid the earlier campaign beside which the campaign may run, where an overlap is approved
 * @param liftedFreezes the ids of freezes on other tables that an order to unfreeze lifts with that of its own table
 */
public record OperatorOrder(
        Table table,
        OperatorOrderKey key,
        String id,
        String requestedBy,
        String reason,
        @Nullable Long campaignUid,
        @Nullable String contentHash,
        @Nullable Long otherCampaignUid,
        List<String> liftedFreezes,
        OrderVerb verb)
        implements TableRow {
    /** By whom the auditor's orders are. On any other table than the auditor's own this name is refused. */
    public static final String AUDITOR = "auditor";

    /** What is ordered. */
    public enum OrderVerb {
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

        OrderVerb(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public OperatorOrder {
        liftedFreezes = List.copyOf(liftedFreezes);
    }

    /** One on the table where people write it. */
    public OperatorOrder(
            OperatorOrderKey key,
            String id,
            String who,
            String why,
            @Nullable Long campaignUid,
            @Nullable String edition,
            @Nullable Long otherUid,
            OrderVerb verb) {
        this(key.table(), key, id, who, why, campaignUid, edition, otherUid, List.of(), verb);
    }

    /** One that approves nothing. */
    public OperatorOrder(
            OperatorOrderKey key, String id, String who, String why, @Nullable Long campaignUid, OrderVerb verb) {
        this(key, id, who, why, campaignUid, null, null, verb);
    }

    /** The same, on another table. */
    public OperatorOrder withTable(Table other) {
        return new OperatorOrder(
                other, key, id, requestedBy, reason, campaignUid, contentHash, otherCampaignUid, liftedFreezes, verb);
    }

    /** The same, lifting freezes on other tables too. */
    public OperatorOrder withLiftedFreezes(List<String> ids) {
        return new OperatorOrder(
                table, key, id, requestedBy, reason, campaignUid, contentHash, otherCampaignUid, ids, verb);
    }

    /** Whether it stands on a table where it does not belong. */
    public boolean isOnWrongTable() {
        return !key.belongsOn(table);
    }

    /** Whether it says that it is the auditor's, on a table that is not the auditor's. */
    public boolean claimsToBeAuditor() {
        return isTheAuditors() && table != Table.AUDITOR_ORDERS;
    }

    /** Whether what it is about is frozen: under a freeze's key anything is a freeze but its lifting by a person. */
    public boolean isFreeze() {
        return key.table() == Table.FREEZES && (verb != OrderVerb.UNFREEZE || isTheAuditors());
    }

    private boolean isTheAuditors() {
        return requestedBy.equals(AUDITOR);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(table, key);
    }
}
