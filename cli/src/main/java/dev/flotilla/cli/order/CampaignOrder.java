package dev.flotilla.cli.order;

import dev.flotilla.schemas.row.Order;

/** What a campaign as a whole can be ordered. */
enum CampaignOrder {
    PAUSE(
            Order.Verb.PAUSE,
            "pause",
            "Starts nothing more of a campaign; what is being refreshed ends by itself.",
            "paused"),
    RESUME(Order.Verb.RUN, "resume", "Lets a paused campaign go on.", "running"),
    ABORT(Order.Verb.ABORT, "abort", "Ends a campaign for good; what is being refreshed ends by itself.", "aborted"),
    RETRY(
            Order.Verb.RETRY,
            "retry",
            "Tries a campaign's quarantined machines once more.",
            "quarantined machines go again");

    private final Order.Verb verb;
    private final String word;
    private final String summary;
    private final String done;

    CampaignOrder(Order.Verb verb, String word, String summary, String done) {
        this.verb = verb;
        this.word = word;
        this.summary = summary;
        this.done = done;
    }

    Order.Verb verb() {
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
