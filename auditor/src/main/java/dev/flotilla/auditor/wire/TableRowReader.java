package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;

/** Decodes the row of a key. */
final class TableRowReader {
    private TableRowReader() {}

    static TableRow readRow(RowKey rowKey, JsonValue value) {
        JsonFieldReader row = JsonFieldReader.of(value);
        String site = rowKey.topic().site();
        if (!site.isEmpty() && !site.equals(row.textOr("site", site))) {
            throw new MalformedJsonException("is about site " + row.text("site") + " but is in "
                    + rowKey.topic().name());
        }
        return switch (rowKey.topic().table()) {
            case "inventory" -> inventory(rowKey, row);
            case "intents" -> UpgradeIntent.read(row);
            case "status" -> status(rowKey, row, value);
            case "commands" -> WorkerCommand.read(row);
            case "progress" -> AttemptProgress.read(row);
            case "campaigns" -> CampaignRow.read(row);
            case "orders", "approvals", "freezes", "auditor-orders" -> OperatorOrder.read(row);
            case "policies" -> UpgradePolicy.read(row);
            case "campaign-status" -> campaignStatus(rowKey.key(), row);
            case "head" -> rowKey.key().equals("fleet") ? FleetHead.read(row) : SiteHead.read(row);
            case "rejected" -> RejectedRecord.read(row);
            default -> new TableRow.OtherRow(value);
        };
    }

    private static TableRow inventory(RowKey rowKey, JsonFieldReader row) {
        if (rowKey.isMachine()) {
            return MachineRow.read(row);
        }
        return rowKey.isCluster() ? ClusterRow.read(row) : WatcherHeartbeat.read(row);
    }

    private static TableRow status(RowKey rowKey, JsonFieldReader row, JsonValue value) {
        if (rowKey.isMachine()) {
            return placed(rowKey, MachineStatus.read(row));
        }
        return rowKey.isClusterUpgrade() ? ClusterUpgrade.read(row) : new TableRow.OtherRow(value);
    }

    private static MachineStatus placed(RowKey rowKey, MachineStatus status) {
        if (!status.id().equals(rowKey.object())) {
            throw new MalformedJsonException("is about " + status.id() + " but has key " + rowKey.key());
        }
        return status;
    }

    private static TableRow campaignStatus(String key, JsonFieldReader row) {
        if (key.startsWith("policy/")) {
            return UpgradePolicy.read(row.child("policy"));
        }
        if (key.startsWith("zone/")) {
            return TimeZoneRules.read(row);
        }
        return key.indexOf('/') < 0 ? CampaignStatus.read(row) : WaveStatus.read(row);
    }
}
