package dev.flotilla.simulator.check;

/**
 * What must always hold. Reports, tables and transcripts use the labels: before the slash the invariant, after it the
 * condition that was violated.
 */
public enum Invariant {
    /** Limits on machines in flight, and on nodes that refresh. */
    CAPS("1-caps"),
    FLEET_CAP("1-caps/fleet"),
    SITE_CAP("1-caps/site"),
    CAMPAIGN_CAP("1-caps/campaign"),
    CLUSTER_CAP("1-caps/cluster"),
    DOMAIN_CAP("1-caps/domain"),
    ANNOTATION_CAP("1-caps/annotations"),
    /** Machines that prepare. */
    PREFETCH_CAP("1-caps/prefetch"),
    /** A machine in flight stays in flight, whatever happens to its rows. */
    SLOT_HISTORY("1-caps/history"),
    CONTROL_PLANE("2-cluster/control-plane"),
    ONE_AT_A_TIME("2-cluster/one-at-a-time"),
    ORDER("2-cluster/order"),
    WORKERS("2-cluster/workers"),
    REPLICAS("2-cluster/replicas"),
    QUARANTINED_MEMBER("2-cluster/quarantined-member"),
    CLUSTER_SOAK("2-cluster/soak"),
    STRICT("2-cluster/strict"),
    ONE_CALL("3-one-call"),
    PROOF("4-proof"),
    NOTHING_LOST("5-nothing-lost"),
    /** A machine fails at most as often as its campaign allows. */
    FAILURES("6-budget/failures"),
    /** A failure that is not retryable quarantines its machine at once. */
    FAILURE_FOR_GOOD("6-budget/failure-for-good"),
    BUDGET("6-budget"),
    /** A campaign that exceeds its failure budget pauses. */
    BREACH("6-budget/breach"),
    FREEZE("7-stop/freeze"),
    CAMPAIGN_ORDER("7-stop/campaign"),
    TOMBSTONE("7-stop/tombstone"),
    /** A pause ends with an order to run or to abort, not with the removal of the campaign's row. */
    PAUSE("7-stop/pause"),
    /** A revoked command is not executed. */
    CANCELLED("7-stop/cancelled"),
    /** What may have called is aborted only if its provider can, and if nobody requests it any more. */
    ABORT("7-stop/abort"),
    /** A command lease ends by itself. */
    LEASE("7-stop/lease"),
    WINDOW_CALL("7-stop/window"),
    SAME_ROWS("8-same-rows"),
    ZOMBIE("9-zombie"),
    SECRETS("10-secrets"),
    /** From here on: starts that something other than a count forbids. */
    CAMPAIGN_NOT_RUNNING("gates/campaign-not-running"),
    NO_POLICY("gates/no-policy"),
    NO_MACHINE("gates/no-machine"),
    CLOCK_SKEW("gates/clock-skew"),
    SILENT_SITE("gates/silent-site"),
    SITE_UNREACHABLE("gates/site-unreachable"),
    MASS_REMOVAL("gates/mass-removal"),
    HELD_CLUSTER("gates/held-cluster"),
    HOLD("gates/hold"),
    DELETION("gates/deletion"),
    NO_NODE("gates/no-node"),
    OTHER_CONTROLLER("gates/other-controller"),
    OWNER("gates/owner"),
    REMEDIATION("gates/remediation"),
    CERTIFICATES("gates/certificates"),
    OPT_OUT("gates/opt-out"),
    UID("gates/uid"),
    DUPLICATE_NODE("gates/duplicate-node"),
    BACKOFF("gates/backoff"),
    ENDED("gates/ended"),
    UNREADABLE("gates/unreadable"),
    UNREADABLE_ROW("gates/unreadable-row"),
    PARTIAL_CONTROL_PLANE("gates/partial-control-plane"),
    START("gates/start"),
    DEADLINE("gates/deadline"),
    SELECTION("gates/selection"),
    DEPENDENCY("gates/dependency"),
    OVERLAP("gates/overlap"),
    VERSION("gates/version"),
    /** What upgrades a machine can apply its target, and stays the same for an attempt. */
    PROVIDER("gates/provider"),
    CLAIMED_BY_OTHER("gates/claimed-by-other"),
    /** Whether and when a machine is prepared, and what its upgrade knows of it. */
    PREPARATION("gates/preparation"),
    COHORT("gates/cohort"),
    WINDOW("gates/window"),
    /** Which of several rollouts a machine starts for. */
    ROLLOUT_PRECEDENCE("gates/rollout-precedence"),
    /** Which rollout a free slot belongs to. */
    SLOT_FAIRNESS("gates/slot-fairness"),
    RESOLVED_TARGET("gates/resolved-target"),
    WAVE("gates/wave"),
    WAVE_HISTORY("gates/wave-history"),
    WAVE_SHARE("gates/wave-share"),
    SOAK("gates/soak"),
    APPROVAL("gates/approval"),
    EDIT("gates/edit"),
    CAMPAIGN_RULE("gates/campaign-rule"),
    /** How much starts before any approval. */
    FIRST_WAVE("gates/first-wave"),
    TARGET("gates/target"),
    RETRY("gates/retry"),
    /** Who may write which order. */
    ORDER_AUTHORITY("gates/order-authority"),
    SKIP("gates/skip"),
    MACHINE_HISTORY("gates/machine-history"),
    /** Numbers of decisions and attempts never repeat. */
    NUMBERS("numbers"),
    /** The times of decisions never decrease. */
    TIME("numbers/time"),
    /** An attempt ends once, by a report about itself. */
    ATTEMPT_END("numbers/attempt-end"),
    /** The leader waits for an attempt until the deadline that was set for it, and no longer. */
    ATTEMPT_TIME("numbers/attempt-time"),
    /** Every written record fits its topic, and the topic exists. */
    REJECTED_RECORD("log/rejected-record"),
    /** No readable row leads to a record that Kafka rejects. */
    TOO_LARGE("log/too-large"),
    /** What cannot be decided is tried twice, then parked. */
    PARKED("log/parked"),
    /** Nothing throws: every decision succeeds. */
    NO_BUG("no-bug");

    private final String label;

    Invariant(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
