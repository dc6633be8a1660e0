package dev.flotilla.schemas.id;

/** The whole fleet or one site: what a policy, a freeze and a head are about. */
public sealed interface Scope extends Key permits Fleet, SiteId {}
