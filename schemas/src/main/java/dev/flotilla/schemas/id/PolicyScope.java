package dev.flotilla.schemas.id;

/** The scope of a policy, a freeze or a head row: the whole fleet or one site. */
public sealed interface PolicyScope extends EntityKey permits FleetScope, SiteId {}
