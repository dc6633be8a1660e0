package dev.flotilla.simulator.node;

/**
 * How a node behaves. Except where noted, each value is the percentage of refreshes in which the fault occurs.
 *
 * @param middleMillis how long a refresh takes on average, in milliseconds
 * @param spreadPercent how much that varies
 * @param alwaysFails every refresh fails
 * @param errors a refresh fails once
 * @param lies the change reports Done although the old version still runs
 * @param hangs the change never ends without help
 * @param reboots the node reboots during the refresh
 * @param forgets the change's id is unknown soon after the refresh
 * @param loses the response to the call is lost
 * @param unready the node stays not Ready for a long time after the refresh
 * @param dies the machine is lost during the refresh
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

    /** A node without faults. */
    public static NodeFaultProfile withoutFaults(long middleMillis, int spreadPercent) {
        return new NodeFaultProfile(middleMillis, spreadPercent, false, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    public NodeFaultProfile alwaysFailing() {
        return new NodeFaultProfile(
                middleMillis, spreadPercent, true, errors, lies, hangs, reboots, forgets, loses, unready, dies);
    }
}
