package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.id.SiteId;

/** Whoever talks to Kafka, each under a principal of its own. */
public sealed interface Component {

    /** The name it usually has: the user of SCRAM, or the common name of its certificate. */
    default String usualName() {
        return "flotilla-"
                + switch (this) {
                    case Watcher watcher -> "watcher-" + watcher.site();
                    case Worker worker -> "worker-" + worker.site();
                    case Orchestrator orchestrator -> "orchestrator";
                    case Auditor auditor -> "auditor";
                    case CampaignAuthor author -> "campaign-author";
                    case Operator operator -> "operator";
                    case Approver approver -> "approver";
                    case Freezer freezer -> "freezer";
                    case PolicyKeeper keeper -> "policy-keeper";
                    case Reader reader -> "reader";
                    case TopicAdministrator administrator -> "topic-administrator";
                };
    }

    /** A site's management-watcher. */
    record Watcher(SiteId site) implements Component {}

    /** A site's node-workers. */
    record Worker(SiteId site) implements Component {}

    /** The leader and its standbys. */
    record Orchestrator() implements Component {}

    record Auditor() implements Component {}

    /** Says what campaigns there are: a person, or GitOps. */
    record CampaignAuthor() implements Component {}

    /** Gives orders to campaigns and sites: runs, pauses, aborts, skips, retries, writes off. Neither approves nor freezes. */
    record Operator() implements Component {}

    /** Approves waves and overlaps. */
    record Approver() implements Component {}

    /** Freezes sites and the fleet, and lifts freezes, the auditor's too. */
    record Freezer() implements Component {}

    /** Sets caps, calendars and what else holds for the fleet or a site. */
    record PolicyKeeper() implements Component {}

    /** Looks, with the CLI or the page. */
    record Reader() implements Component {}

    /** Creates topics, mends them, and lets old chapters of the journal go. */
    record TopicAdministrator() implements Component {}
}
