package dev.flotilla.orchestrator.loop;

/** The steps between which the process may die. A test lets it die at each of them. */
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

    /** Told of each step as it is reached. */
    @FunctionalInterface
    public interface CrashPointListener {
        void onCrashPoint(LoopCrashPoint loopCrashPoint);
    }
}
