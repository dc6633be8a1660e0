package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.AcceptedPolicy;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.ZoneRules;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/** Every type of row: its name in the header {@code type}, its table, its form. */
public enum RowType {
    HEARTBEAT("heartbeat", Table.INVENTORY, Heartbeat.class, InventoryCodecs.HEARTBEAT),
    CLUSTER("cluster", Table.INVENTORY, ClusterRow.class, InventoryCodecs.CLUSTER),
    MACHINE("machine", Table.INVENTORY, MachineRow.class, InventoryCodecs.MACHINE),
    INTENT("intent", Table.INTENTS, Intent.class, StatusCodecs.INTENT),
    SITE_STATUS("site-status", Table.STATUS, SiteStatus.class, StatusCodecs.SITE),
    MACHINE_STATUS("machine-status", Table.STATUS, MachineStatus.class, StatusCodecs.MACHINE),
    OBJECT_STATUS("object-status", Table.STATUS, ObjectStatus.class, StatusCodecs.OBJECT),
    COMMAND("command", Table.COMMANDS, Command.class, WorkCodecs.COMMAND),
    PROGRESS("progress", Table.PROGRESS, Progress.class, WorkCodecs.PROGRESS),
    CAMPAIGN("campaign", Table.CAMPAIGNS, Campaign.class, CampaignCodec.CAMPAIGN),
    ORDER("order", Table.ORDERS, Order.class, OrderCodec.ORDER),
    APPROVAL("approval", Table.APPROVALS, Order.class, OrderCodec.APPROVAL),
    FREEZE("freeze", Table.FREEZES, Order.class, OrderCodec.FREEZE),
    AUDITOR_ORDER("auditor-order", Table.AUDITOR_ORDERS, Order.class, OrderCodec.AUDITOR_ORDER),
    POLICY("policy", Table.POLICIES, Policy.class, PolicyCodec.POLICY),
    CAMPAIGN_STATUS("campaign-status", Table.CAMPAIGN_STATUS, CampaignStatus.class, OutcomeCodecs.CAMPAIGN),
    WAVE_STATUS("wave-status", Table.CAMPAIGN_STATUS, WaveStatus.class, OutcomeCodecs.WAVE),
    ACCEPTED_POLICY("accepted-policy", Table.CAMPAIGN_STATUS, AcceptedPolicy.class, OutcomeCodecs.POLICY),
    ZONE_RULES("zone-rules", Table.CAMPAIGN_STATUS, ZoneRules.class, OutcomeCodecs.ZONE),
    FLEET_HEAD("fleet-head", Table.HEAD, FleetHead.class, HeadCodecs.FLEET),
    SITE_HEAD("site-head", Table.HEAD, SiteHead.class, HeadCodecs.SITE),
    JOURNAL_RECORD("journal-record", Table.JOURNAL, JournalRecord.class, JournalCodec.RECORD),
    REJECTED("rejected", Table.REJECTED, Rejected.class, HeadCodecs.REJECTED);

    /** A codec with the class of its rows, so that a row of any type can be handed to it. */
    private record Form<R extends Row>(Class<R> rows, Codec<R> codec) {
        void write(JsonWriter out, Row row) {
            codec.write(out, rows.cast(row));
        }
    }

    private final String label;
    private final Table table;
    private final Form<?> form;

    <R extends Row> RowType(String label, Table table, Class<R> rows, Codec<R> codec) {
        this.label = label;
        this.table = table;
        this.form = new Form<>(rows, codec);
    }

    /** The type of a row. */
    public static RowType of(Row row) {
        return switch (row) {
            case Heartbeat r -> HEARTBEAT;
            case ClusterRow r -> CLUSTER;
            case MachineRow r -> MACHINE;
            case Intent r -> INTENT;
            case SiteStatus r -> SITE_STATUS;
            case MachineStatus r -> MACHINE_STATUS;
            case ObjectStatus r -> OBJECT_STATUS;
            case Command r -> COMMAND;
            case Progress r -> PROGRESS;
            case Campaign r -> CAMPAIGN;
            case Order r ->
                switch (r.table()) {
                    case APPROVALS -> APPROVAL;
                    case FREEZES -> FREEZE;
                    case AUDITOR_ORDERS -> AUDITOR_ORDER;
                    default -> ORDER;
                };
            case Policy r -> POLICY;
            case CampaignStatus r -> CAMPAIGN_STATUS;
            case WaveStatus r -> WAVE_STATUS;
            case AcceptedPolicy r -> ACCEPTED_POLICY;
            case ZoneRules r -> ZONE_RULES;
            case FleetHead r -> FLEET_HEAD;
            case SiteHead r -> SITE_HEAD;
            case JournalRecord r -> JOURNAL_RECORD;
            case Rejected r -> REJECTED;
        };
    }

    /** The type of the rows under a key; null in the journal, and where no row stands. */
    public static @Nullable RowType at(RowKey at) {
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
                    default -> OBJECT_STATUS;
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
                    case ZoneName zone -> ZONE_RULES;
                    default -> ACCEPTED_POLICY;
                };
            case HEAD -> at.key() instanceof SiteId ? SITE_HEAD : FLEET_HEAD;
            case REJECTED -> REJECTED;
            case JOURNAL, LEADER -> null;
        };
    }

    /** The type that a header names, or null. */
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

    /** Whether people write it: then an unknown field is a typing error, and what it meant must not be left out in silence. */
    public boolean isWrittenByPeople() {
        return this == CAMPAIGN || this == POLICY || form.rows() == Order.class;
    }

    /** So many bytes may a value of this type have. */
    public int maxBytes() {
        return switch (table) {
            case INVENTORY, INTENTS, PROGRESS, CAMPAIGNS, ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS, POLICIES ->
                Bounds.INPUT_BYTES;
            case STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER -> Bounds.RECORD_BYTES;
        };
    }

    public @Nullable Row read(Tree tree, Problems problems) {
        return form.codec().read(tree, problems);
    }

    public void write(JsonWriter out, Row row) {
        form.write(out, row);
    }

    public Obj schema() {
        return form.codec().schema();
    }
}
