package dev.flotilla.simulator.node;

/**
 * How a node behaves, in shares of a hundred refreshes where nothing else is said.
 *
 * @param middleMillis how long a refresh takes, about
 * @param spreadPercent how much that varies
 * @param alwaysFails every refresh ends in an error
 * @param errors a refresh ends in an error, once
 * @param lies the change says Done and the old version still runs
 * @param hangs the change never ends by itself
 * @param reboots the node restarts in the middle
 * @param forgets the change's id is unknown soon after
 * @param loses the answer to the call never arrives
 * @param unready the node is not Ready for long after
 * @param dies the machine is gone in the middle of it
 */
public record NodeFaultProfile(
        long middleMillis,
        int spreadPercent,
        boolean alwaysFails,
        int errors,
        int lies,
        int hangs,
        int reboots,
        int forgets,
        int loses,
        int unready,
        int dies) {

    /** A node that does what it is told. */
    public static NodeFaultProfile withoutFaults(long middleMillis, int spreadPercent) {
        return new NodeFaultProfile(middleMillis, spreadPercent, false, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    public NodeFaultProfile alwaysFailing() {
        return new NodeFaultProfile(
                middleMillis, spreadPercent, true, errors, lies, hangs, reboots, forgets, loses, unready, dies);
    }
}
