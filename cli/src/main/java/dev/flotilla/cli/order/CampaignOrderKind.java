package dev.flotilla.cli.order;

import dev.flotilla.schemas.row.OperatorOrder;

/** Orders to a whole campaign. */
enum CampaignOrderKind {
    PAUSE(
            OperatorOrder.OrderVerb.PAUSE,
            "pause",
            "Pauses a campaign: no machine starts. Running upgrades finish.",
            "paused"),
    RESUME(OperatorOrder.OrderVerb.RUN, "resume", "Resumes a paused campaign.", "running"),
    ABORT(OperatorOrder.OrderVerb.ABORT, "abort", "Ends a campaign for good. Running upgrades finish.", "aborted"),
    RETRY(
            OperatorOrder.OrderVerb.RETRY,
            "retry",
            "Tries the quarantined machines of a campaign again.",
            "quarantined machines are tried again");

    private final OperatorOrder.OrderVerb verb;
    private final String label;
    private final String summary;
    private final String doneText;

    CampaignOrderKind(OperatorOrder.OrderVerb verb, String word, String summary, String done) {
        this.verb = verb;
        this.label = word;
        this.summary = summary;
        this.doneText = done;
    }

    OperatorOrder.OrderVerb verb() {
        return verb;
    }

    String label() {
        return label;
    }

    String summary() {
        return summary;
    }

    String doneText() {
        return doneText;
    }
}
