package dev.flotilla.schemas.row;

/** A whole row of a table, with its key in it. */
public sealed interface TableRow extends RowChange
        permits WatcherHeartbeat,
                ClusterRow,
                MachineRow,
                UpgradeIntent,
                SiteStatus,
                MachineStatus,
                IntentStatus,
                WorkerCommand,
                AttemptProgress,
                Campaign,
                OperatorOrder,
                UpgradePolicy,
                CampaignStatus,
                WaveStatus,
                LastAcceptedPolicy,
                TimeZoneRules,
                FleetHead,
                SiteHead,
                JournalRecord,
                RejectedRecord {}
