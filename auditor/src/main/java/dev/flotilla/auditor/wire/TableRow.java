package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonValue;

/** What a table says under a key. */
public sealed interface TableRow
        permits CampaignRow,
                CampaignStatus,
                ClusterRow,
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
    /** A row that no rule asks about: it is compared with the journal, and not understood. */
    record OtherRow(JsonValue json) implements TableRow {}
}
