package dev.flotilla.core.gate;

/** What is said of a record that cannot be read and therefore closes what it would have been about. */
final class RejectedInput {
    private RejectedInput() {}

    static Closed closed(String key, String topic) {
        return new Closed(
                GateLabel.REJECTED_INPUT,
                "unreadable",
                "a readable record",
                "The newest record of " + key + " on " + topic
                        + " cannot be read (see flotilla.rejected): write it again, or remove it.");
    }
}
