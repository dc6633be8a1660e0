package dev.flotilla.simulator.run;

/** What comes up in worlds, by chance, and has to come up in any few hundred of them: what never does is not tried. */
public enum CoverageCondition {
    /** Names, labels, policies and campaigns are as large as they may be. */
    TO_THE_BRIM,
    /** The core threw at an input, or at something due. */
    TRIPPED,
    /** An input that could not be decided on twice was parked. */
    PARKED,
    /** Something due that could not be decided twice was parked, until the bug was mended. */
    DUE_PARKED,
    /** A machine whose owner renews certificates, rolls, scales or mends it. */
    CERTIFICATES,
    ROLLING,
    SCALING,
    REMEDIATION,
    /** A machine has no node yet. */
    JOINING,
    /** One or two machines are missing, and many are. */
    FEW_MISSING,
    MANY_MISSING,
    /** A site's topics could not be used. */
    SITE_AWAY,
    /** A topic of a site was deleted and created again. */
    TOPIC_RECREATED,
    /** A copy of an older day took the place of a site's topic. */
    TOPIC_RESTORED,
    /** A record could not be read. */
    UNREADABLE,
    /** A site never became well again: it was cut off, its topics were away, its nodes refused all calls. */
    CUT_OFF_FOR_EVER,
    AWAY_FOR_EVER,
    REFUSING_FOR_EVER,
    /** Its workers stood still, or its watcher. */
    WORKERS_STOPPED,
    WATCHER_STOPPED,
    /** Nothing of what it wrote arrived, or it learned nothing new. */
    MUTE,
    DEAF,
    /** The clocks of its workers were an hour off. */
    CLOCKS_OFF,
    /** Its API answered every question with an error. */
    API_FAILS,
    /** It was configured, and nobody ever heard of it. */
    NEVER_HEARD_OF,
    /** The store of a management cluster went back to a backup. */
    STORE_RESTORED,
    /** A machine became one of another cluster, or of another role. */
    CLUSTER_CHANGED,
    ROLE_CHANGED,
    /** An orchestrator never became well again. */
    ORCHESTRATOR_LOST
}
