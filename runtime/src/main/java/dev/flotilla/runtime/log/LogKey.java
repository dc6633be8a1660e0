package dev.flotilla.runtime.log;

/**
 * The keys of data in log events. Each has one meaning in all programs. There is none for a secret, and there must be none.
 */
public enum LogKey {
    ANNOTATIONS("annotations"),
    ATTEMPT("attempt"),
    /** A health check of a campaign. */
    CHECK("check"),
    CLUSTER("cluster"),
    /** The configuration of a service, redacted. */
    CONFIGURATION("configuration"),
    CONFLICT("conflict"),
    /** What exactly happened, as one sentence. */
    DETAIL("detail"),
    DURATION_MILLIS("durationMillis"),
    EVIDENCE("evidence"),
    EXPECTED_CLUSTER_UID("expectedClusterUid"),
    FOUND_CLUSTER_UID("foundClusterUid"),
    /** A kind of Kubernetes objects. */
    KIND("kind"),
    KNOWN_VERSION("knownVersion"),
    KUBECONFIG_EXPIRES_AT("kubeconfigExpiresAt"),
    MACHINE("machine"),
    MODE("mode"),
    /** A Kubernetes object. */
    OBJECT("object"),
    OFFSET("offset"),
    PARTITION("partition"),
    PARTITIONS("partitions"),
    /** Path of an HTTP request, redacted. */
    PATH("path"),
    READ_VERSION("readVersion"),
    /** Why, as a label or one sentence. */
    REASON("reason"),
    RECORDS("records"),
    RELEASE("release"),
    /** What a person must do. */
    REMEDY("remedy"),
    ROLE("role"),
    /** Number of a decision in the journal. */
    SEQ("seq"),
    SITE("site"),
    /** A step of the shutdown, or of an upgrade plan. */
    STEP("step"),
    STEP_STATE("stepState"),
    /** What a decision is about. */
    SUBJECT("subject"),
    TOPIC("topic"),
    /** Trace of an attempt. Collectors have it only if traces are exported. */
    TRACE_ID("traceId"),
    VERSION("version"),
    WITHHELD_REMOVALS("withheldRemovals"),
    /** What a write changes on an object. */
    WRITE("write");

    private final String label;

    LogKey(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
