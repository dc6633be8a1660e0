package dev.flotilla.schemas.id;

/** The whole fleet or one site: what a policy, a freeze and a head are about. */
public sealed interface PolicyScope extends EntityKey permits FleetScope, SiteId {}
