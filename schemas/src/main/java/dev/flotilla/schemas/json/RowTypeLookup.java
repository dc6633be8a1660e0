package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.json.rows.RowType;
import org.jspecify.annotations.Nullable;

/** Finds the type of the rows with a key. A table and a kind of key have one type or none. */
final class RowTypeLookup {
    private RowTypeLookup() {}

    static @Nullable RowType lookUp(RowKey at) {
        return switch (at.table()) {
            case INVENTORY -> inventory(at.key());
            case INTENTS -> RowType.INTENT;
            case STATUS -> status(at.key());
            case COMMANDS -> RowType.COMMAND;
            case PROGRESS -> RowType.PROGRESS;
            case CAMPAIGNS -> RowType.CAMPAIGN;
            case ORDERS -> RowType.ORDER;
            case APPROVALS -> RowType.APPROVAL;
            case FREEZES -> RowType.FREEZE;
            case AUDITOR_ORDERS -> RowType.AUDITOR_ORDER;
            case POLICIES -> RowType.POLICY;
            case CAMPAIGN_STATUS -> campaignStatus(at.key());
            case HEAD -> at.key() == FleetScope.FLEET ? RowType.FLEET_HEAD : RowType.SITE_HEAD;
            case JOURNAL -> RowType.JOURNAL_RECORD;
            case REJECTED -> RowType.REJECTED;
            case LEADER -> null;
        };
    }

    private static @Nullable RowType inventory(EntityKey key) {
        return switch (key) {
            case SiteId site -> RowType.HEARTBEAT;
            case ClusterKey cluster -> RowType.CLUSTER;
            case MachineKey machine -> RowType.MACHINE;
            case OwnerKey owner -> null;
            case ClusterUpgradeKey upgrade -> null;
            case FleetScope fleet -> null;
            case CampaignName name -> null;
            case WaveKey wave -> null;
            case OperatorOrderKey order -> null;
            case TimeZoneName zone -> null;
            case RejectedRecordKey rejected -> null;
            case JournalKey journal -> null;
        };
    }

    private static @Nullable RowType status(EntityKey key) {
        return switch (key) {
            case SiteId site -> RowType.SITE_STATUS;
            case MachineKey machine -> RowType.MACHINE_STATUS;
            case ClusterKey cluster -> RowType.INTENT_STATUS;
            case OwnerKey owner -> RowType.INTENT_STATUS;
            case ClusterUpgradeKey upgrade -> RowType.CLUSTER_UPGRADE;
            case FleetScope fleet -> null;
            case CampaignName name -> null;
            case WaveKey wave -> null;
            case OperatorOrderKey order -> null;
            case TimeZoneName zone -> null;
            case RejectedRecordKey rejected -> null;
            case JournalKey journal -> null;
        };
    }

    private static @Nullable RowType campaignStatus(EntityKey key) {
        return switch (key) {
            case CampaignName name -> RowType.CAMPAIGN_STATUS;
            case WaveKey wave -> RowType.WAVE_STATUS;
            case FleetScope fleet -> RowType.ACCEPTED_POLICY;
            case SiteId site -> RowType.ACCEPTED_POLICY;
            case TimeZoneName zone -> RowType.ZONE_RULES;
            case MachineKey machine -> null;
            case ClusterKey cluster -> null;
            case OwnerKey owner -> null;
            case ClusterUpgradeKey upgrade -> null;
            case OperatorOrderKey order -> null;
            case RejectedRecordKey rejected -> null;
            case JournalKey journal -> null;
        };
    }
}
