package dev.flotilla.schemas.id;

/** The key of a row within its table: the entity that the row describes. */
public sealed interface EntityKey
        permits PolicyScope,
                ObjectKey,
                ClusterUpgradeKey,
                CampaignName,
                WaveKey,
                OperatorOrderKey,
                TimeZoneName,
                RejectedRecordKey,
                JournalKey {}
