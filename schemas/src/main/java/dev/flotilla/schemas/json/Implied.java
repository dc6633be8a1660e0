package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.json.rows.RowType;
import org.jspecify.annotations.Nullable;

/** Which type of row stands at a place. A table and the kind of a key leave one possibility or none. */
final class Implied {
    private Implied() {}

    static @Nullable RowType type(RowKey at) {
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
            case HEAD -> at.key() == Fleet.FLEET ? RowType.FLEET_HEAD : RowType.SITE_HEAD;
            case JOURNAL -> RowType.JOURNAL_RECORD;
            case REJECTED -> RowType.REJECTED;
            case LEADER -> null;
        };
    }

    private static @Nullable RowType inventory(Key key) {
        return switch (key) {
            case SiteId site -> RowType.HEARTBEAT;
            case ClusterKey cluster -> RowType.CLUSTER;
            case MachineKey machine -> RowType.MACHINE;
            case OwnerKey owner -> null;
            case Fleet fleet -> null;
            case CampaignName name -> null;
            case WaveKey wave -> null;
            case OrderKey order -> null;
            case ZoneName zone -> null;
            case RejectedKey rejected -> null;
            case JournalKey journal -> null;
        };
    }

    private static @Nullable RowType status(Key key) {
        return switch (key) {
            case SiteId site -> RowType.SITE_STATUS;
            case MachineKey machine -> RowType.MACHINE_STATUS;
            case ClusterKey cluster -> RowType.OBJECT_STATUS;
            case OwnerKey owner -> RowType.OBJECT_STATUS;
            case Fleet fleet -> null;
            case CampaignName name -> null;
            case WaveKey wave -> null;
            case OrderKey order -> null;
            case ZoneName zone -> null;
            case RejectedKey rejected -> null;
            case JournalKey journal -> null;
        };
    }

    private static @Nullable RowType campaignStatus(Key key) {
        return switch (key) {
            case CampaignName name -> RowType.CAMPAIGN_STATUS;
            case WaveKey wave -> RowType.WAVE_STATUS;
            case Fleet fleet -> RowType.ACCEPTED_POLICY;
            case SiteId site -> RowType.ACCEPTED_POLICY;
            case ZoneName zone -> RowType.ZONE_RULES;
            case MachineKey machine -> null;
            case ClusterKey cluster -> null;
            case OwnerKey owner -> null;
            case OrderKey order -> null;
            case RejectedKey rejected -> null;
            case JournalKey journal -> null;
        };
    }
}
