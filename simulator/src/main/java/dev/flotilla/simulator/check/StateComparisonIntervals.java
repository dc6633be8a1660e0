package dev.flotilla.simulator.check;

/**
 * How often the leader's state is held against others: each costs as much as the fleet is large.
 *
 * @param standby how many commits go by between two looks at a standby's state
 * @param restore how many commits go by between two restores of the whole state
 */
public record StateComparisonIntervals(int standby, int restore) {}
