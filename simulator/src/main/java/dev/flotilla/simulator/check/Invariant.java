package dev.flotilla.simulator.check;

/**
 * What must always hold. The labels are the same in reports, tables and transcripts: what comes before the slash is the invariant,
 * what comes after it the condition of it that was broken.
 */
public enum Invariant {
    /** Of machines in flight, and of nodes that refresh. */
    CAPS("1-caps"),
    FLEET_CAP("1-caps/fleet"),
    SITE_CAP("1-caps/site"),
    CAMPAIGN_CAP("1-caps/campaign"),
    CLUSTER_CAP("1-caps/cluster"),
    DOMAIN_CAP("1-caps/domain"),
    ANNOTATION_CAP("1-caps/annotations"),
    /** What is in flight stays so, whatever becomes of its rows. */
    SLOT_HISTORY("1-caps/history"),
    CONTROL_PLANE("2-cluster/control-plane"),
    ONE_AT_A_TIME("2-cluster/one-at-a-time"),
    ORDER("2-cluster/order"),
    WORKERS("2-cluster/workers"),
    REPLICAS("2-cluster/replicas"),
    QUARANTINED_MEMBER("2-cluster/quarantined-member"),
    SETTLE("2-cluster/settle"),
    STRICT("2-cluster/strict"),
    ONE_CALL("3-one-call"),
    PROOF("4-proof"),
    NOTHING_LOST("5-nothing-lost"),
    /** A machine fails as often as its campaign allows, and no more. */
    FAILURES("6-budget/failures"),
    BUDGET("6-budget"),
    /** A campaign with more failures than it bears pauses. */
    BREACH("6-budget/breach"),
    FREEZE("7-stop/freeze"),
    CAMPAIGN_ORDER("7-stop/campaign"),
    TOMBSTONE("7-stop/tombstone"),
    /** A pause ends with an order to run or to abort, and not with the campaign's row. */
    PAUSE("7-stop/pause"),
    /** A command that was taken back is not carried out. */
    TAKEN_BACK("7-stop/taken-back"),
    /** A command ends by itself. */
    LICENCE("7-stop/licence"),
    WINDOW_CALL("7-stop/window"),
    SAME_ROWS("8-same-rows"),
    ZOMBIE("9-zombie"),
    SECRETS("10-secrets"),
    /** From here on: a start that something else than a count forbids. */
    CAMPAIGN("gates/campaign"),
    NO_POLICY("gates/no-policy"),
    NO_MACHINE("gates/no-machine"),
    CLOCK("gates/clock"),
    SILENT_SITE("gates/silent-site"),
    SITE_AWAY("gates/site-away"),
    MASS_REMOVAL("gates/mass-removal"),
    HELD_CLUSTER("gates/held-cluster"),
    HOLD("gates/hold"),
    DELETION("gates/deletion"),
    NO_NODE("gates/no-node"),
    FOREIGN("gates/foreign"),
    OWNER("gates/owner"),
    REMEDIATION("gates/remediation"),
    CERTIFICATES("gates/certificates"),
    OPT_OUT("gates/opt-out"),
    UID("gates/uid"),
    TWIN("gates/twin"),
    BACKOFF("gates/backoff"),
    ENDED("gates/ended"),
    UNREADABLE("gates/unreadable"),
    UNREADABLE_ROW("gates/unreadable-row"),
    HALF_DONE("gates/half-done"),
    START("gates/start"),
    DEADLINE("gates/deadline"),
    SELECTION("gates/selection"),
    DEPENDENCY("gates/dependency"),
    OVERLAP("gates/overlap"),
    VERSION("gates/version"),
    CLAIM("gates/claim"),
    COHORT("gates/cohort"),
    WINDOW("gates/window"),
    /** Who of several drivers a machine goes for. */
    TURN("gates/turn"),
    /** Whose a free slot is. */
    SLOT("gates/slot"),
    TEACHER("gates/teacher"),
    WAVE("gates/wave"),
    WAVE_HISTORY("gates/wave-history"),
    WAVE_SHARE("gates/wave-share"),
    SOAK("gates/soak"),
    APPROVAL("gates/approval"),
    EDIT("gates/edit"),
    MANDATE("gates/mandate"),
    /** How much starts before anybody has approved. */
    FIRST_WAVE("gates/first-wave"),
    TARGET("gates/target"),
    RETRY("gates/retry"),
    /** Who may order what. */
    RIGHT("gates/right"),
    SKIP("gates/skip"),
    HISTORY("gates/history"),
    /** Numbers of decisions and attempts never repeat. */
    NUMBERS("numbers"),
    /** Decisions are dated in their order. */
    TIME("numbers/time"),
    /** An attempt ends by a word about itself, once. */
    ENDING("numbers/ending"),
    /** An attempt is waited for as long as was said when it began to be. */
    ATTEMPT_TIME("numbers/attempt-time"),
    /** Every record that is written fits its topic, which there is. */
    REFUSED_RECORD("log/refused"),
    /** No row that can be read leads to more than Kafka takes. */
    TOO_LARGE("log/too-large"),
    /** What cannot be decided is tried twice, and not for ever. */
    PARKED("log/parked"),
    /** Nothing throws: a decision is total. */
    NO_BUG("no-bug");

    private final String label;

    Invariant(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
