package dev.flotilla.cli.order;

import dev.flotilla.schemas.row.OperatorOrder;

/** What a campaign as a whole can be ordered. */
enum CampaignOrder {
    PAUSE(
            OperatorOrder.OrderVerb.PAUSE,
            "pause",
            "Starts nothing more of a campaign; what is being refreshed ends by itself.",
            "paused"),
    RESUME(OperatorOrder.OrderVerb.RUN, "resume", "Lets a paused campaign go on.", "running"),
    ABORT(OperatorOrder.OrderVerb.ABORT, "abort", "Ends a campaign for good; what is being refreshed ends by itself.", "aborted"),
    RETRY(
            OperatorOrder.OrderVerb.RETRY,
            "retry",
            "Tries a campaign's quarantined machines once more.",
            "quarantined machines go again");

    private final OperatorOrder.OrderVerb verb;
    private final String word;
    private final String summary;
    private final String done;

    CampaignOrder(OperatorOrder.OrderVerb verb, String word, String summary, String done) {
        this.verb = verb;
        this.word = word;
        this.summary = summary;
        this.done = done;
    }

    OperatorOrder.OrderVerb verb() {
        return verb;
    }

    String word() {
        return word;
    }

    String summary() {
        return summary;
    }

    String done() {
        return done;
    }
}
