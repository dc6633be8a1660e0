package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.json.WireRecord;

/** A decision makes a record that Kafka would reject as too large. Nothing of the decision was put or sent. */
final class DecisionTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DecisionTooLargeException(Decision decision, WireRecord record, int size, int max) {
        super("decision makes a record of " + size + " bytes in topic " + record.topic()
                + (record.key() == null ? "" : ", key " + record.key()) + " ("
                + decision.event().label() + " " + decision.subject() + "); the limit is " + max + " bytes");
    }
}
