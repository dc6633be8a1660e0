package dev.flotilla.orchestrator.leader;

/** The points at which a test lets the process die. */
public enum LoopCrashPoint {
    HINTED("hinted"),
    FENCED("fenced"),
    RESTORED("restored"),
    POLLED("polled"),
    DECIDED("decided"),
    BEGUN("begun"),
    HALF_SENT("half-sent"),
    SENT("sent"),
    COMMITTED("committed"),
    PUBLISHED("published");

    private final String label;

    LoopCrashPoint(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** Called at each crash point. */
    @FunctionalInterface
    public interface CrashPointListener {
        void onCrashPoint(LoopCrashPoint loopCrashPoint);
    }
}
