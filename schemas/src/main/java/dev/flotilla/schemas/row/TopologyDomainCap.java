package dev.flotilla.schemas.row;

/** How many machines of a campaign may be in flight at once of those that share a value of a label. */
public record TopologyDomainCap(String label, CountOrPercent maxInFlight) {}
