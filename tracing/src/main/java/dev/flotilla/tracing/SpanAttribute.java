package dev.flotilla.tracing;

/** The attributes of spans. Each has one meaning in all processes. There is none for a secret or for a text that a node sent. */
public enum SpanAttribute {
    /** Number of the attempt. */
    ATTEMPT("flotilla.attempt"),
    CAMPAIGN("flotilla.campaign"),
    /** Id of the change on the node. */
    CHANGE("flotilla.change"),
    CLUSTER("flotilla.cluster"),
    /** The annotated object or task that asks for the upgrade, instead of a campaign. */
    INTENT("flotilla.intent"),
    MACHINE("flotilla.machine"),
    /** How the attempt or the step ended: an event of the journal, or the kind of the worker's report. */
    OUTCOME("flotilla.outcome"),
    /** What upgrades the machine. */
    PROVIDER("flotilla.provider"),
    ROLE("flotilla.role"),
    SITE("flotilla.site"),
    TARGET("flotilla.target"),
    /** What a write changed on the Machine. */
    WRITE("flotilla.write");

    private final String key;

    SpanAttribute(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }
}
