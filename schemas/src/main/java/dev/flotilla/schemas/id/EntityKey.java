package dev.flotilla.schemas.id;

/** What a row is about, within its table. */
public sealed interface EntityKey
        permits PolicyScope,
                ObjectKey,
                CampaignName,
                WaveKey,
                OperatorOrderKey,
                TimeZoneName,
                RejectedRecordKey,
                JournalKey {}
