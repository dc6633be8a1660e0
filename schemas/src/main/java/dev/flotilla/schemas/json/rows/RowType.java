package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterUpgradeKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import org.jspecify.annotations.Nullable;

/** The types of rows, each with its name in the header {@code type}, its table and its codec. */
public enum RowType {
    HEARTBEAT("heartbeat", Table.INVENTORY, WatcherHeartbeat.class, InventoryRowCodecs.HEARTBEAT),
    CLUSTER("cluster", Table.INVENTORY, ClusterRow.class, InventoryRowCodecs.CLUSTER),
    MACHINE("machine", Table.INVENTORY, MachineRow.class, InventoryRowCodecs.MACHINE),
    INTENT("intent", Table.INTENTS, UpgradeIntent.class, StatusRowCodecs.INTENT),
    SITE_STATUS("site-status", Table.STATUS, SiteStatus.class, StatusRowCodecs.SITE),
    MACHINE_STATUS("machine-status", Table.STATUS, MachineStatus.class, StatusRowCodecs.MACHINE),
    INTENT_STATUS("intent-status", Table.STATUS, IntentStatus.class, StatusRowCodecs.INTENT_STATUS),
    CLUSTER_UPGRADE("cluster-upgrade", Table.STATUS, ClusterUpgrade.class, ClusterUpgradeCodecs.UPGRADE),
    COMMAND("command", Table.COMMANDS, WorkerCommand.class, WorkerRowCodecs.COMMAND),
    PROGRESS("progress", Table.PROGRESS, AttemptProgress.class, WorkerRowCodecs.PROGRESS),
    CAMPAIGN("campaign", Table.CAMPAIGNS, Campaign.class, CampaignCodec.CAMPAIGN),
    ORDER("order", Table.ORDERS, OperatorOrder.class, OperatorOrderCodec.ORDER),
    APPROVAL("approval", Table.APPROVALS, OperatorOrder.class, OperatorOrderCodec.APPROVAL),
    FREEZE("freeze", Table.FREEZES, OperatorOrder.class, OperatorOrderCodec.FREEZE),
    AUDITOR_ORDER("auditor-order", Table.AUDITOR_ORDERS, OperatorOrder.class, OperatorOrderCodec.AUDITOR_ORDER),
    POLICY("policy", Table.POLICIES, UpgradePolicy.class, UpgradePolicyCodec.POLICY),
    CAMPAIGN_STATUS("campaign-status", Table.CAMPAIGN_STATUS, CampaignStatus.class, CampaignStatusCodecs.CAMPAIGN),
    WAVE_STATUS("wave-status", Table.CAMPAIGN_STATUS, WaveStatus.class, CampaignStatusCodecs.WAVE),
    ACCEPTED_POLICY("accepted-policy", Table.CAMPAIGN_STATUS, LastAcceptedPolicy.class, CampaignStatusCodecs.POLICY),
    ZONE_RULES("zone-rules", Table.CAMPAIGN_STATUS, TimeZoneRules.class, CampaignStatusCodecs.ZONE),
    FLEET_HEAD("fleet-head", Table.HEAD, FleetHead.class, HeadRowCodecs.FLEET),
    SITE_HEAD("site-head", Table.HEAD, SiteHead.class, HeadRowCodecs.SITE),
    JOURNAL_RECORD(
            "journal-record",
            Table.JOURNAL,
            JournalRecord.class,
            JournalRecordCodec.record(new RowChangeCodec(new AllFormats()))),
    REJECTED(
            "rejected",
            Table.REJECTED,
            RejectedRecord.class,
            HeadRowCodecs.rejected(new RowChangeCodec(new AllFormats())));

    /** A codec with the class of its rows, so that it accepts a row of unknown type. */
    private record Form<R extends TableRow>(Class<R> rows, JsonCodec<R> codec) {
        void write(JsonWriter out, TableRow row) {
            codec.write(out, rows.cast(row));
        }
    }

    /** The formats of all types, looked up when a row change is read or written, because the types are then complete. */
    private record AllFormats() implements RowChangeCodec.RowFormats {
        @Override
        public @Nullable JsonCodec<? extends TableRow> ofKey(RowKey key) {
            RowType type = RowType.ofKey(key);
            return type == null ? null : type.form.codec();
        }

        @Override
        public void write(JsonWriter out, TableRow row) {
            RowType.of(row).write(out, row);
        }
    }

    private final String label;
    private final Table table;
    private final Form<?> form;

    <R extends TableRow> RowType(String label, Table table, Class<R> rows, JsonCodec<R> codec) {
        this.label = label;
        this.table = table;
        this.form = new Form<>(rows, codec);
    }

    /** Returns the type of a row. */
    public static RowType of(TableRow row) {
        return switch (row) {
            case WatcherHeartbeat r -> HEARTBEAT;
            case ClusterRow r -> CLUSTER;
            case MachineRow r -> MACHINE;
            case UpgradeIntent r -> INTENT;
            case SiteStatus r -> SITE_STATUS;
            case MachineStatus r -> MACHINE_STATUS;
            case IntentStatus r -> INTENT_STATUS;
            case ClusterUpgrade r -> CLUSTER_UPGRADE;
            case WorkerCommand r -> COMMAND;
            case AttemptProgress r -> PROGRESS;
            case Campaign r -> CAMPAIGN;
            case OperatorOrder r ->
                switch (r.table()) {
                    case APPROVALS -> APPROVAL;
                    case FREEZES -> FREEZE;
                    case AUDITOR_ORDERS -> AUDITOR_ORDER;
                    default -> ORDER;
                };
            case UpgradePolicy r -> POLICY;
            case CampaignStatus r -> CAMPAIGN_STATUS;
            case WaveStatus r -> WAVE_STATUS;
            case LastAcceptedPolicy r -> ACCEPTED_POLICY;
            case TimeZoneRules r -> ZONE_RULES;
            case FleetHead r -> FLEET_HEAD;
            case SiteHead r -> SITE_HEAD;
            case JournalRecord r -> JOURNAL_RECORD;
            case RejectedRecord r -> REJECTED;
        };
    }

    /** Returns the type of the rows with a key; null for the journal and for keys that have no rows. */
    public static @Nullable RowType ofKey(RowKey at) {
        return switch (at.table()) {
            case INVENTORY ->
                switch (at.key()) {
                    case SiteId site -> HEARTBEAT;
                    case MachineKey machine -> MACHINE;
                    default -> CLUSTER;
                };
            case INTENTS -> INTENT;
            case STATUS ->
                switch (at.key()) {
                    case SiteId site -> SITE_STATUS;
                    case MachineKey machine -> MACHINE_STATUS;
                    case ClusterUpgradeKey upgrade -> CLUSTER_UPGRADE;
                    default -> INTENT_STATUS;
                };
            case COMMANDS -> COMMAND;
            case PROGRESS -> PROGRESS;
            case CAMPAIGNS -> CAMPAIGN;
            case ORDERS -> ORDER;
            case APPROVALS -> APPROVAL;
            case FREEZES -> FREEZE;
            case AUDITOR_ORDERS -> AUDITOR_ORDER;
            case POLICIES -> POLICY;
            case CAMPAIGN_STATUS ->
                switch (at.key()) {
                    case CampaignName name -> CAMPAIGN_STATUS;
                    case WaveKey wave -> WAVE_STATUS;
                    case TimeZoneName zone -> ZONE_RULES;
                    default -> ACCEPTED_POLICY;
                };
            case HEAD -> at.key() instanceof SiteId ? SITE_HEAD : FLEET_HEAD;
            case REJECTED -> REJECTED;
            case JOURNAL, LEADER -> null;
        };
    }

    /** Returns the type that a header names, or null. */
    public static @Nullable RowType parse(String label) {
        for (RowType type : values()) {
            if (type.label.equals(label)) {
                return type;
            }
        }
        return null;
    }

    public String label() {
        return label;
    }

    public Table table() {
        return table;
    }

    /** Whether people write these rows. Then an unknown field is rejected as a typing error instead of being ignored. */
    public boolean isWrittenByPeople() {
        return this == CAMPAIGN || this == POLICY || form.rows() == OperatorOrder.class;
    }

    /** Returns the maximum size of a value of this type in bytes. */
    public int maxBytes() {
        return switch (table) {
            case INVENTORY, INTENTS, PROGRESS, CAMPAIGNS, ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS, POLICIES ->
                DocumentLimits.INPUT_BYTES;
            case STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER -> DocumentLimits.RECORD_BYTES;
        };
    }

    public @Nullable TableRow read(JsonValue jsonValue, ProblemCollector problems) {
        return form.codec().read(jsonValue, problems);
    }

    public void write(JsonWriter out, TableRow row) {
        form.write(out, row);
    }

    public JsonObjectReader schema() {
        return form.codec().schema();
    }
}
