package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The accepted campaign that an order is about. */
record OrderTargetCampaign(TableSnapshot tables, @Nullable CampaignStatus status) {

    static OrderTargetCampaign find(FleetKafkaClient kafka, CampaignName name) {
        TableSnapshot tables = kafka.read(Table.CAMPAIGN_STATUS);
        return new OrderTargetCampaign(
                tables, tables.row(new RowKey(Table.CAMPAIGN_STATUS, name), CampaignStatus.class));
    }

    /** The earlier campaign for which a campaign waits; null for none. */
    static @Nullable CampaignStatus overlappingCampaign(FleetKafkaClient kafka, CampaignStatus later) {
        TableSnapshot tables = kafka.readAll();
        FleetState state = tables.recountedState(tables.now());
        CampaignRollout campaign = state.rollout(later.name());
        CampaignName name = campaign == null ? null : state.overlappingCampaign(campaign);
        CampaignRollout earlier = name == null ? null : state.rollout(name);
        return earlier == null ? null : earlier.status();
    }

    /** Describes that no campaign of that name is accepted. */
    String notFoundMessage(String name) {
        String known = tables.rows(CampaignStatus.class).stream()
                .map(status -> status.name().name())
                .sorted()
                .collect(Collectors.joining(", "));
        return "the orchestrator has not accepted a campaign " + name
                + (known.isEmpty() ? "; there are no campaigns" : "; campaigns: " + known);
    }

    /** Names of its waves, in order. */
    List<String> waves() {
        return status == null
                ? List.of()
                : status.acceptedCampaign().spec().waves().stream()
                        .map(Wave::name)
                        .toList();
    }

    /** The first wave that needs an approval, by the campaign, an edit or the fleet's policy; null for none. */
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
