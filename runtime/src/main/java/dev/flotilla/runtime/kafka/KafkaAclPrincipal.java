package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.id.SiteId;

/** Whoever talks to Kafka, each under a principal of its own. */
public sealed interface KafkaAclPrincipal {

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
                    case PolicyEditor keeper -> "policy-keeper";
                    case Reader reader -> "reader";
                    case TopicAdministrator administrator -> "topic-administrator";
                };
    }

    /** A site's management-watcher. */
    record Watcher(SiteId site) implements KafkaAclPrincipal {}

    /** A site's node-workers. */
    record Worker(SiteId site) implements KafkaAclPrincipal {}

    /** The leader and its standbys. */
    record Orchestrator() implements KafkaAclPrincipal {}

    record Auditor() implements KafkaAclPrincipal {}

    /** Says what campaigns there are: a person, or GitOps. */
    record CampaignAuthor() implements KafkaAclPrincipal {}

    /** Gives orders to campaigns and sites: runs, pauses, aborts, skips, retries, writes off. Neither approves nor freezes. */
    record Operator() implements KafkaAclPrincipal {}

    /** Approves waves and overlaps. */
    record Approver() implements KafkaAclPrincipal {}

    /** Freezes sites and the fleet, and lifts freezes, the auditor's too. */
    record Freezer() implements KafkaAclPrincipal {}

    /** Sets caps, calendars and what else holds for the fleet or a site. */
    record PolicyEditor() implements KafkaAclPrincipal {}

    /** Looks, with the CLI or the page. */
    record Reader() implements KafkaAclPrincipal {}

    /** Creates topics, mends them, and lets old chapters of the journal go. */
    record TopicAdministrator() implements KafkaAclPrincipal {}
}
