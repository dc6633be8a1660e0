package dev.flotilla.core.leader;

/** A decision makes a record that Kafka would reject as too large. Nothing of the decision was put or sent. */
public final class DecisionTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DecisionTooLargeException(String problem) {
        super(problem);
    }
}
