package dev.flotilla.kafka;

import dev.flotilla.schemas.id.SiteId;

/** The roles of processes and people in Kafka, each with its own principal. */
public sealed interface KafkaAclPrincipal {

    /** Returns the default name: the SCRAM user, or the common name of the certificate. */
    default String defaultName() {
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
                    case PolicyEditor editor -> "policy-editor";
                    case Reader reader -> "reader";
                    case CampaignController controller -> "campaign-controller";
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

    /** Writes campaigns: a person or GitOps. */
    record CampaignAuthor() implements KafkaAclPrincipal {}

    /** Gives orders to campaigns and sites: run, pause, abort, skip, retry, write off. Does not approve or freeze. */
    record Operator() implements KafkaAclPrincipal {}

    /** Approves waves and overlaps. */
    record Approver() implements KafkaAclPrincipal {}

    /** Freezes sites and the fleet, and lifts freezes, including the auditor's. */
    record Freezer() implements KafkaAclPrincipal {}

    /** Writes the policies of the fleet and of sites. */
    record PolicyEditor() implements KafkaAclPrincipal {}

    /** Reads with the CLI or the web page. */
    record Reader() implements KafkaAclPrincipal {}

    /** Writes what the Campaigns, Policies and Orders of a hub cluster say. */
    record CampaignController() implements KafkaAclPrincipal {}

    /** Creates topics, corrects their settings, and deletes old chapters of the journal. */
    record TopicAdministrator() implements KafkaAclPrincipal {}
}
