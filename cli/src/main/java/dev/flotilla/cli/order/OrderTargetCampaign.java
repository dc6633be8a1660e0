package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The campaign that an order is about, as the orchestrator has it. */
record OrderTargetCampaign(TableSnapshot tables, @Nullable CampaignStatus status) {

    static OrderTargetCampaign find(FleetKafkaClient kafka, CampaignName name) {
        TableSnapshot tables = kafka.read(Table.CAMPAIGN_STATUS);
        return new OrderTargetCampaign(
                tables, tables.row(new RowKey(Table.CAMPAIGN_STATUS, name), CampaignStatus.class));
    }

    /** The earlier campaign that a campaign waits for; null for none. */
    static @Nullable CampaignStatus overlappingCampaign(FleetKafkaClient kafka, CampaignStatus later) {
        TableSnapshot tables = kafka.readAll();
        FleetState state = tables.recountedState(tables.now());
        CampaignRollout campaign = state.rollout(later.name());
        CampaignName name = campaign == null ? null : state.overlappingCampaign(campaign);
        CampaignRollout earlier = name == null ? null : state.rollout(name);
        return earlier == null ? null : earlier.status();
    }

    /** Why there is none of that name. */
    String notFoundMessage(String name) {
        String known = tables.rows(CampaignStatus.class).stream()
                .map(status -> status.name().name())
                .sorted()
                .collect(Collectors.joining(", "));
        return "the orchestrator has accepted no campaign " + name
                + (known.isEmpty() ? "; there is none at all" : "; there are: " + known);
    }

    /** The names of its waves, in their order. */
    List<String> waves() {
        return status == null
                ? List.of()
                : status.acceptedCampaign().spec().waves().stream()
                        .map(Wave::name)
                        .toList();
    }

    /** The first wave that waits for an approval, or that an edit or the fleet's policy waits for; null for none. */
    @Nullable
    String firstUnapprovedWave() {
        if (status == null) {
            return null;
        }
        boolean none = true;
        for (Wave wave : status.acceptedCampaign().spec().waves()) {
            WaveStatus known = tables.row(
                    new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(status.name(), wave.name())), WaveStatus.class);
            boolean closed = known != null && known.campaignUid() == status.uid() && known.closedAt() != null;
            if (status.approvals().editPending() && !closed) {
                return wave.name();
            }
            boolean approved = known != null && known.campaignUid() == status.uid() && known.approvedBy() != null;
            if (wave.approval() != Wave.WaveApproval.NONE && !approved) {
                return wave.name();
            }
            none &= !approved;
        }
        return none && requiresApproval()
                ? status.acceptedCampaign().spec().waves().getFirst().name()
                : null;
    }

    private boolean requiresApproval() {
        LastAcceptedPolicy fleet =
                tables.row(new RowKey(Table.CAMPAIGN_STATUS, FleetScope.FLEET), LastAcceptedPolicy.class);
        return fleet != null && fleet.policy().campaignRule().requireApproval() != null;
    }
}
