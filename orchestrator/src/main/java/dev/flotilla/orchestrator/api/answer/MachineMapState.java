package dev.flotilla.orchestrator.api.answer;

/** A machine's condition, as coarse as the map shows it. */
public enum MachineMapState {
    /** No campaign and no intent targets it. */
    NOT_TARGETED("not-targeted"),
    WAITING("waiting"),
    IN_FLIGHT("in-flight"),
    /** In flight, and its outcome is not known yet. */
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

    /** The condition of a machine's state. */
    public static MachineMapState of(String state) {
        return switch (state) {
            // "open" is the outcome of a machine whose campaign ended without it.
            case "not-targeted", "open" -> NOT_TARGETED;
            case "waiting" -> WAITING;
            case "unknown" -> UNKNOWN;
            case "succeeded", "unchanged" -> SUCCEEDED;
            case "skipped" -> SKIPPED;
            case "quarantined" -> QUARANTINED;
            // "admitted", and each step of an attempt.
            default -> IN_FLIGHT;
        };
    }
}
