package dev.flotilla.schemas.row;

/** How many machines of a campaign with the same value of a label may be in flight at once. */
public record TopologyDomainCap(String label, CountOrPercent maxInFlight) {}
