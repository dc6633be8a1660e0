package dev.flotilla.schemas.row;

/** A row of a table. It contains its key. */
public sealed interface TableRow extends RowChange
        permits WatcherHeartbeat,
                ClusterRow,
                MachineRow,
                UpgradeIntent,
                SiteStatus,
                MachineStatus,
                IntentStatus,
                ClusterUpgrade,
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
