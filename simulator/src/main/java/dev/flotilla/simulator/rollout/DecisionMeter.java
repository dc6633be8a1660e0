package dev.flotilla.simulator.rollout;

/** Notified before and after the core decides, so that its cost can be measured separately from the runner's. */
public interface DecisionMeter {
    DecisionMeter NONE = new DecisionMeter() {
        @Override
        public void decisionsStarted() {}

        @Override
        public void decisionsMade(int decisions) {}
    };

    void decisionsStarted();

    void decisionsMade(int decisions);
}
