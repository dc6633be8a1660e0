package dev.flotilla.schemas.id;

/** What a row is about, within its table. */
public sealed interface Key
        permits Scope, ObjectKey, CampaignName, WaveKey, OrderKey, ZoneName, RejectedKey, JournalKey {}
