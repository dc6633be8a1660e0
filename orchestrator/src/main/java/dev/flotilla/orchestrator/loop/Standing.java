package dev.flotilla.orchestrator.loop;

/** What this process is at the moment. */
public enum Standing {
    RESTORING("restoring"),
    STANDBY("standby"),
    LEADER("leader"),
    REFUSING("refusing");

    private final String label;

    Standing(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
