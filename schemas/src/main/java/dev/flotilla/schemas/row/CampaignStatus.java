package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the orchestrator made of a campaign.
 *
 * @param uid the seq of its first acceptance after absence
 * @param accepted the newest specification that could be read and was taken
 * @param pauseReason why it pauses by itself, or who paused it and why
 * @param learned which revision and version the target has proved to mean
 * @param retriedBelow machines that were quarantined by an earlier decision get another round; zero for none
 * @param appliedOrders the ids of the orders applied last, by kind; of skips the machines' entries say so
 */
public record CampaignStatus(
        CampaignName name,
        long uid,
        Campaign accepted,
        RunState state,
        @Nullable String pauseReason,
        Instant since,
        List<Learned> learned,
        long retriedBelow,
        List<AppliedOrder> appliedOrders)
        implements Row {

    /**
     * What the target means on an architecture.
     *
     * @param version the Kubernetes version that the first node there has shown; null where it showed none
     */
    public record Learned(
            String architecture, String revision, @Nullable String version) {}

    /** An order that was applied, so that it is not applied again. */
    public record AppliedOrder(String order, String id) {}

    public CampaignStatus {
        learned = List.copyOf(learned);
        appliedOrders = List.copyOf(appliedOrders);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, name);
    }
}
