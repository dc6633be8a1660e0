package dev.flotilla.simulator.rollout;

/** Told when the core is asked and when it has answered, so that its cost can be told from the driver's. */
public interface Meter {
    Meter NONE = new Meter() {
        @Override
        public void asked() {}

        @Override
        public void answered(int decisions) {}
    };

    void asked();

    void answered(int decisions);
}
