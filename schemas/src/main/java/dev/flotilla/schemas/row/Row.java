package dev.flotilla.schemas.row;

/** A whole row of a table, with its key in it. */
public sealed interface Row extends Fact
        permits Heartbeat,
                ClusterRow,
                MachineRow,
                Intent,
                SiteStatus,
                MachineStatus,
                ObjectStatus,
                Command,
                Progress,
                Campaign,
                Order,
                Policy,
                CampaignStatus,
                WaveStatus,
                AcceptedPolicy,
                ZoneRules,
                FleetHead,
                SiteHead,
                JournalRecord,
                Rejected {}
