package dev.flotilla.campaigncontroller.object;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an Order asks for.
 *
 * @param requestedBy who created the Order; the webhook writes it
 * @param contentHash the content hash of the campaign that an approver has reviewed; null for other orders
 * @param overlappedCampaign the earlier campaign with which the campaign may overlap; null for other orders
 * @param liftedFreezes the ids of freezes on other topics that an unfreeze lifts as well
 */
public record OrderRequest(
        OperatorOrderKey key,
        OrderVerb verb,
        String requestedBy,
        String reason,
        @Nullable String contentHash,
        @Nullable CampaignName overlappedCampaign,
        List<String> liftedFreezes) {
    public OrderRequest {
        liftedFreezes = List.copyOf(liftedFreezes);
    }

    /**
     * Returns the order.
     *
     * @param id the uid of the Order
     * @param campaignUid the uid of the campaign that it is about; null for another subject
     * @param otherCampaignUid the uid of the earlier campaign of an overlap; null for another order
     */
    public OperatorOrder toOrder(String id, @Nullable Long campaignUid, @Nullable Long otherCampaignUid) {
        OperatorOrder order =
                new OperatorOrder(key, id, requestedBy, reason, campaignUid, contentHash, otherCampaignUid, verb);
        return liftedFreezes.isEmpty() ? order : order.withLiftedFreezes(liftedFreezes);
    }
}
