package dev.flotilla.simulator.check;

/**
 * How often the leader's state is compared with others; each comparison costs time in proportion to the fleet.
 *
 * @param standby the number of commits between two comparisons with a standby's state
 * @param restore the number of commits between two restores of the whole state
 */
public record StateComparisonIntervals(int standby, int restore) {}
