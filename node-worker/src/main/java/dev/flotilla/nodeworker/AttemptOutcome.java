package dev.flotilla.nodeworker;

import dev.flotilla.schemas.row.AttemptReport;

/** How an attempt ends, as it is counted. */
enum AttemptOutcome {
    SUCCEEDED("succeeded"),
    PREPARED("prepared"),
    FAILED("failed"),
    CANCELLED("cancelled"),
    ABORTED("aborted"),
    LEASE_EXPIRED("lease-expired"),
    DEFERRED("deferred");

    private final String label;

    AttemptOutcome(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** The event of the log, as the journal's event without hyphens. */
    String event() {
        return "attempt " + label.replace('-', ' ');
    }

    static AttemptOutcome outcomeOf(AttemptReport report) {
        return switch (report) {
            case AttemptReport.Succeeded done -> SUCCEEDED;
            case AttemptReport.Prepared done -> PREPARED;
            case AttemptReport.Failed done -> FAILED;
            case AttemptReport.Cancelled done -> CANCELLED;
            case AttemptReport.Aborted done -> ABORTED;
            case AttemptReport.LeaseExpired done -> LEASE_EXPIRED;
            case AttemptReport.Deferred done -> DEFERRED;
            case AttemptReport.StepReached step ->
                throw new IllegalArgumentException(step + " does not end the attempt");
            case AttemptReport.OutcomeUnknown unknown ->
                throw new IllegalArgumentException(unknown + " does not end the attempt");
        };
    }
}
