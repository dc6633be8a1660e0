package dev.flotilla.nodeworker;

import dev.flotilla.schemas.row.Report;

/** How an attempt ends, as it is counted. */
enum End {
    SUCCEEDED("succeeded"),
    FAILED("failed"),
    CANCELLED("cancelled"),
    EXPIRED("expired"),
    NOT_NOW("not-now");

    private final String label;

    End(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    static End of(Report report) {
        return switch (report) {
            case Report.Succeeded done -> SUCCEEDED;
            case Report.Failed done -> FAILED;
            case Report.Cancelled done -> CANCELLED;
            case Report.Expired done -> EXPIRED;
            case Report.NotNow done -> NOT_NOW;
            case Report.Stepped step -> throw new IllegalArgumentException(step + " is no end");
            case Report.OutcomeUnknown unknown -> throw new IllegalArgumentException(unknown + " is no end");
        };
    }
}
