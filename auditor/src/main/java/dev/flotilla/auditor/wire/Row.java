package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Json;

/** What a table says under a key. */
public sealed interface Row
        permits CampaignRow,
                CampaignStatus,
                ClusterRow,
                Command,
                FleetHead,
                Heartbeat,
                Intent,
                MachineRow,
                MachineStatus,
                OrderRow,
                PolicyRow,
                Progress,
                RejectedRow,
                Row.Other,
                SiteHead,
                WaveStatus,
                ZoneRow {
    /** A row that no rule asks about: it is compared with the journal, and not understood. */
    record Other(Json json) implements Row {}
}
