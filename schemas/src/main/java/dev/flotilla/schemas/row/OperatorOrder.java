package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order of an operator at run time, with its author and reason.
 *
 * @param table the table it was read from. An order on the wrong table is decoded, so that it is rejected with that reason
 * @param id distinguishes orders with the same key
 * @param campaignUid the uid of the campaign for an order about a campaign; another uid is rejected
 * @param contentHash the content hash of the campaign that the approver reviewed
 * @param otherCampaignUid the earlier campaign with which the campaign may overlap, if an overlap is approved
 * @param liftedFreezes the ids of freezes on other tables that an order to unfreeze lifts in addition to the one on its own table
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
    /** The author of the auditor's orders. On any other table than the auditor's, an order with this author is rejected. */
    public static final String AUDITOR = "auditor";

    /** The command of an order. */
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

    /** An order on the table on which operators write it. */
    public OperatorOrder(
            OperatorOrderKey key,
            String id,
            String requestedBy,
            String reason,
            @Nullable Long campaignUid,
            @Nullable String contentHash,
            @Nullable Long otherUid,
            OrderVerb verb) {
        this(key.table(), key, id, requestedBy, reason, campaignUid, contentHash, otherUid, List.of(), verb);
    }

    /** An order that is not an approval. */
    public OperatorOrder(
            OperatorOrderKey key,
            String id,
            String requestedBy,
            String reason,
            @Nullable Long campaignUid,
            OrderVerb verb) {
        this(key, id, requestedBy, reason, campaignUid, null, null, verb);
    }

    /** Returns a copy on another table. */
    public OperatorOrder withTable(Table other) {
        return new OperatorOrder(
                other, key, id, requestedBy, reason, campaignUid, contentHash, otherCampaignUid, liftedFreezes, verb);
    }

    /** Returns a copy that also lifts freezes on other tables. */
    public OperatorOrder withLiftedFreezes(List<String> ids) {
        return new OperatorOrder(
                table, key, id, requestedBy, reason, campaignUid, contentHash, otherCampaignUid, ids, verb);
    }

    /** Whether it is on a table where it does not belong. */
    public boolean isOnWrongTable() {
        return !key.belongsOn(table);
    }

    /** Whether it names the auditor as its author on a table that is not the auditor's. */
    public boolean claimsToBeAuditor() {
        return isTheAuditors() && table != Table.AUDITOR_ORDERS;
    }

    /** Whether it freezes its scope: every order under a freeze's key does, except an operator's unfreeze. */
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
