package dev.flotilla.simulator.run;

/**
 * Conditions that arise in simulated worlds by chance, and must arise in any few hundred of them: a condition that
 * never arises is not tested.
 */
enum CoverageCondition {
    /** Names, labels, policies and campaigns have the maximum size. */
    MAXIMUM_SIZES,
    /** The core threw while deciding on an input or due work. */
    DECISION_FAILED,
    /** An input that failed to be decided twice was parked. */
    INPUT_PARKED,
    /** Due work that failed to be decided twice was parked, until the bug was fixed. */
    DUE_WORK_PARKED,
    /** A machine's owner renews its certificates, rolls, scales or remediates it. */
    CERTIFICATES,
    ROLLING,
    SCALING,
    REMEDIATION,
    /** A machine has no node yet. */
    JOINING,
    /** One or two machines are missing, or many are. */
    FEW_MACHINES_MISSING,
    MANY_MACHINES_MISSING,
    /** A site's topics were unusable. */
    SITE_TOPICS_UNUSABLE,
    /** A topic of a site was deleted and created again. */
    TOPIC_RECREATED,
    /** A topic of a site was replaced by an older copy. */
    TOPIC_RESTORED,
    /** A record was unreadable. */
    UNREADABLE,
    /** A site had a permanent fault: it was cut off, its topics were unusable, or its nodes rejected all calls. */
    SITE_CUT_OFF_FOREVER,
    TOPICS_UNUSABLE_FOREVER,
    NODES_REJECTING_FOREVER,
    /** A site's workers, or its watcher, stopped forever. */
    WORKERS_STOPPED,
    WATCHER_STOPPED,
    /** Nothing of what a site wrote arrived, or it read nothing new. */
    SITE_WRITES_BLOCKED,
    SITE_READS_BLOCKED,
    /** The clocks of a site's workers were an hour off. */
    CLOCKS_OFF,
    /** A site's API answered every request with an error. */
    API_FAILS,
    /** A site was configured, and no process of it ever reached the log. */
    SITE_NEVER_CONNECTED,
    /** The store of a management cluster was restored from a backup. */
    STORE_RESTORED,
    /** A machine moved to another cluster, or changed its role. */
    CLUSTER_CHANGED,
    ROLE_CHANGED,
    /** An orchestrator had a permanent fault. */
    ORCHESTRATOR_LOST,
    /** A machine was upgraded by a NodeUpgrade, and one of these failed for good. */
    NODE_UPGRADE,
    NODE_UPGRADE_FAILED_FOR_GOOD,
    /** A machine was prepared, a preparation failed, and a machine was upgraded that was prepared. */
    PREPARED,
    PREPARATION_FAILED,
    PREPARED_UPGRADE,
    /** A watcher took a machine for one that k8sd upgrades, and the policy knew better. */
    PROVIDER_NOT_FOUND,
    /** A policy changed the provider of a machine that had not been called. */
    PROVIDER_CHANGED,
    /** An annotation requested a target that no machine of its object can have. */
    INAPPLICABLE_INTENT
}
