package dev.flotilla.core.decision;

import dev.flotilla.schemas.id.EntityKey;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Due work could not be decided because of a bug. None of its row changes was put, but the derived state may be half
 * updated: the caller must drop the state.
 */
public final class DecisionFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient EntityKey subject;

    private DecisionFailedException(EntityKey subject, RuntimeException bug) {
        super("due work of " + subject + " cannot be decided: " + bug, bug);
        this.subject = subject;
    }

    /** The row key that the due work is about. */
    public EntityKey subject() {
        return subject;
    }

    /** Passes a decision on. A consumer that rejects a decision, because of its size, rejects it every time. */
    public static void passOn(Decision decision, Consumer<Decision> written) {
        EntityKey subject = decision.subject();
        if (subject == null) {
            throw new IllegalStateException(decision.event() + " has no subject");
        }
        runFor(subject, () -> {
            written.accept(decision);
            return decision;
        });
    }

    /** Decides the due work of a subject. */
    public static Decision runFor(EntityKey subject, Supplier<Decision> decide) {
        try {
            return decide.get();
        } catch (RuntimeException bug) {
            throw new DecisionFailedException(subject, bug);
        }
    }
}
