package dev.flotilla.orchestrator.api.answer;

/** How a machine stands, as coarse as a map of the fleet can show it. */
public enum MachineMapState {
    /** Nobody asks anything of it. */
    IDLE("idle"),
    WAITING("waiting"),
    IN_FLIGHT("in-flight"),
    /** In flight, and nothing is heard of it. */
    UNKNOWN("unknown"),
    SUCCEEDED("succeeded"),
    SKIPPED("skipped"),
    QUARANTINED("quarantined");

    private final String label;

    MachineMapState(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** What a machine's state comes down to. */
    public static MachineMapState of(String state) {
        return switch (state) {
            // Open is how a machine ended that its campaign left behind.
            case "idle", "open" -> IDLE;
            case "waiting" -> WAITING;
            case "unknown" -> UNKNOWN;
            case "succeeded", "unchanged" -> SUCCEEDED;
            case "skipped" -> SKIPPED;
            case "quarantined" -> QUARANTINED;
            // Admitted, and every step of an attempt.
            default -> IN_FLIGHT;
        };
    }
}
