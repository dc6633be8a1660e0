package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of an act, or came by itself. */
public sealed interface Signal {

    /** The attempt's command was renewed or taken back. */
    record Commanded(WorkerCommand command) implements Signal {}

    /** A report was committed. */
    record Written(AttemptReport report) implements Signal {}

    record Inspected(Sight sight) implements Signal {}

    record Reached(Contact contact) implements Signal {}

    /**
     * The guards are set.
     *
     * @param forbidden why the machine must not be upgraded now; null where nothing speaks against it
     */
    record Guarded(@Nullable String forbidden) implements Signal {}

    /** Pods have to go before the guards are set, which may take long. */
    record Drains() implements Signal {}

    /**
     * The machine and its cluster were judged.
     *
     * @param forbidden why the machine must not be called now; null where nothing speaks against it
     */
    record Judged(@Nullable String forbidden) implements Signal {}

    /**
     * The checks were asked.
     *
     * @param findings those that do not hold, in their order
     */
    record Checked(List<Finding> findings) implements Signal {
        public Checked {
            findings = List.copyOf(findings);
        }
    }

    /** The call was not begun in time. */
    record Held() implements Signal {}

    record Answered(Answer answer) implements Signal {}

    record Polled(ChangeSight sight) implements Signal {}

    record Rested() implements Signal {}

    record Undone() implements Signal {}

    /** The session in which a licence was written, or was being, is over: nobody may use it any more. */
    record SessionEnded() implements Signal {}

    /** Somebody else is to go on with it: what is not used of a licence is given back. */
    record Leaving() implements Signal {}
}
