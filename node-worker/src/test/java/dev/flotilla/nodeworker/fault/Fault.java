package dev.flotilla.nodeworker.fault;

import dev.flotilla.schemas.row.Report;
import dev.flotilla.simulator.embedded.ClusterPlan;

/**
 * A row of the table.
 *
 * @param what goes wrong
 * @param cluster in which it does
 * @param does it
 * @param ends how the attempt is to end: its report in short, without its text
 * @param calls that the node must have taken, no more and no fewer; what they have done is the ledger's word
 */
record Fault(String group, String what, ClusterPlan cluster, Doing does, String ends, int calls) {

    /** Prepares the fault, on the fleet's event loop. */
    @FunctionalInterface
    interface Doing {
        void to(Stand stand) throws Exception;
    }

    /** A report in short. */
    static String shortly(Report report) {
        return switch (report) {
            case Report.Succeeded it -> it.how().label();
            case Report.Failed it ->
                it.reason().label() + ", " + it.failureClass().label();
            case Report.NotNow it -> "not now";
            case Report.Cancelled it -> "cancelled";
            case Report.Expired it -> "expired";
            case Report.OutcomeUnknown it -> "unknown";
            case Report.Stepped it -> it.step().label();
        };
    }

    /** What an operator reads of it; empty where there is nothing to read. */
    static String text(Report report) {
        String text = switch (report) {
            case Report.Failed it -> it.text();
            case Report.NotNow it -> it.reason();
            case Report.OutcomeUnknown it -> it.text();
            default -> "";
        };
        // Ports are others each time, and so is where a connection is noticed to be cut.
        return text.replaceAll("127\\.0\\.0\\.1:[0-9]+", "127.0.0.1:PORT")
                .replaceAll("Broken pipe|Connection reset|EOF reached while reading", "Connection reset");
    }

    @Override
    public String toString() {
        return what;
    }
}
