package dev.flotilla.cli.order;

import dev.flotilla.schemas.row.OperatorOrder;

/** What a campaign as a whole can be ordered. */
enum CampaignOrderKind {
    PAUSE(
            OperatorOrder.OrderVerb.PAUSE,
            "pause",
            "Starts nothing more of a campaign; what is being refreshed ends by itself.",
            "paused"),
    RESUME(OperatorOrder.OrderVerb.RUN, "resume", "Lets a paused campaign go on.", "running"),
    ABORT(
            OperatorOrder.OrderVerb.ABORT,
            "abort",
            "Ends a campaign for good; what is being refreshed ends by itself.",
            "aborted"),
    RETRY(
            OperatorOrder.OrderVerb.RETRY,
            "retry",
            "Tries a campaign's quarantined machines once more.",
            "quarantined machines go again");

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
