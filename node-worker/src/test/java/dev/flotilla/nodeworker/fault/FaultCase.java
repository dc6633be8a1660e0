package dev.flotilla.nodeworker.fault;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;

/**
 * A row of the table.
 *
 * @param cluster cluster in which the fault happens
 * @param expectedEnd how the attempt must end: its report in short, without its text
 * @param calls number of calls that the node must have accepted, as its ledger counts them
 */
record FaultCase(
        String group, String title, WorkloadClusterSpec cluster, FaultAction action, String expectedEnd, int calls) {

    /** Prepares the fault, on the fleet's event loop. */
    @FunctionalInterface
    interface FaultAction {
        void inject(FaultTestBed faultTestBed) throws Exception;
    }

    /** A report in short. */
    static String describe(AttemptReport report) {
        return switch (report) {
            case AttemptReport.Succeeded it -> it.proof().label();
            case AttemptReport.Failed it ->
                it.reason().label() + ", " + it.failureClass().label();
            case AttemptReport.Deferred it -> "deferred";
            case AttemptReport.Prepared it -> "prepared";
            case AttemptReport.Cancelled it -> "cancelled";
            case AttemptReport.Aborted it -> "aborted";
            case AttemptReport.LeaseExpired it -> "expired";
            case AttemptReport.OutcomeUnknown it -> "unknown";
            case AttemptReport.StepReached it -> it.step().label();
        };
    }

    /** The message that an operator sees; empty if there is none. */
    static String text(AttemptReport report) {
        String text = switch (report) {
            case AttemptReport.Failed it -> it.text();
            case AttemptReport.Deferred it -> it.reason();
            case AttemptReport.Aborted it -> it.text();
            case AttemptReport.OutcomeUnknown it -> it.text();
            default -> "";
        };
        // Ports differ between runs, and so does the message of a closed connection.
        return text.replaceAll("127\\.0\\.0\\.1:[0-9]+", "127.0.0.1:PORT")
                .replaceAll("Broken pipe|Connection reset|EOF reached while reading", "Connection reset");
    }

    @Override
    public String toString() {
        return title;
    }
}
