package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonValue;

/** A row of a table. */
public sealed interface TableRow
        permits CampaignRow,
                CampaignStatus,
                ClusterRow,
                ClusterUpgrade,
                WorkerCommand,
                FleetHead,
                WatcherHeartbeat,
                UpgradeIntent,
                MachineRow,
                MachineStatus,
                OperatorOrder,
                UpgradePolicy,
                AttemptProgress,
                RejectedRecord,
                TableRow.OtherRow,
                SiteHead,
                WaveStatus,
                TimeZoneRules {
    /** A row that no rule uses: it is compared with the journal but not decoded. */
    record OtherRow(JsonValue json) implements TableRow {}
}
