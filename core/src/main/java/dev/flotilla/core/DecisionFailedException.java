package dev.flotilla.core;

import dev.flotilla.schemas.id.EntityKey;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What is due about something cannot be decided, by a bug. Nothing of the decision was put; but what follows from the rows may
 * be half brought up to date, so that whoever catches this drops the state.
 */
public final class DecisionFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient EntityKey subject;

    private DecisionFailedException(EntityKey subject, RuntimeException bug) {
        super("what is due about " + subject + " cannot be decided: " + bug, bug);
        this.subject = subject;
    }

    /** What it is about. */
    public EntityKey subject() {
        return subject;
    }

    /** Hands on what was decided. Whoever refuses it, for its size, refuses it each time that it is decided. */
    static void passOn(Decision decision, Consumer<Decision> written) {
        EntityKey subject = decision.subject();
        if (subject == null) {
            throw new IllegalStateException(decision.event() + " is due about nothing");
        }
        runFor(subject, () -> {
            written.accept(decision);
            return decision;
        });
    }

    /** Decides what is due about something. */
    public static Decision runFor(EntityKey subject, Supplier<Decision> decide) {
        try {
            return decide.get();
        } catch (RuntimeException bug) {
            throw new DecisionFailedException(subject, bug);
        }
    }
}
