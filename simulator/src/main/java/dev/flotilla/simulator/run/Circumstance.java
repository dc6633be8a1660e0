package dev.flotilla.simulator.run;

/** What comes up in worlds, by chance, and has to come up in any few hundred of them: what never does is not tried. */
public enum Circumstance {
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
    /** One site never became well again. */
    LASTING_TROUBLE
}
