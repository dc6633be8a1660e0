package dev.flotilla.simulator.rollout;

/** Told when the core is asked and when it has answered, so that its cost can be told from the driver's. */
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
