package dev.flotilla.nodeworker.fault;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;

/**
 * A row of the table.
 *
 * @param what goes wrong
 * @param cluster in which it does
 * @param does it
 * @param ends how the attempt is to end: its report in short, without its text
 * @param calls that the node must have taken, no more and no fewer; what they have done is the ledger's word
 */
record FaultCase(String group, String what, WorkloadClusterSpec cluster, FaultAction does, String ends, int calls) {

    /** Prepares the fault, on the fleet's event loop. */
    @FunctionalInterface
    interface FaultAction {
        void to(FaultTestBed faultTestBed) throws Exception;
    }

    /** A report in short. */
    static String shortly(AttemptReport report) {
        return switch (report) {
            case AttemptReport.Succeeded it -> it.proof().label();
            case AttemptReport.Failed it ->
                it.reason().label() + ", " + it.failureClass().label();
            case AttemptReport.Deferred it -> "not now";
            case AttemptReport.Cancelled it -> "cancelled";
            case AttemptReport.LeaseExpired it -> "expired";
            case AttemptReport.OutcomeUnknown it -> "unknown";
            case AttemptReport.StepReached it -> it.step().label();
        };
    }

    /** What an operator reads of it; empty where there is nothing to read. */
    static String text(AttemptReport report) {
        String text = switch (report) {
            case AttemptReport.Failed it -> it.text();
            case AttemptReport.Deferred it -> it.reason();
            case AttemptReport.OutcomeUnknown it -> it.text();
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
