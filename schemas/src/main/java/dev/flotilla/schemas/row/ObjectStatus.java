package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an owner's or a cluster's intent is.
 *
 * @param since the intent's own transition: with the object it tells which intent this is about
 * @param atWork a machine that is being upgraded for it just now
 * @param lastFailure how a machine failed last that is not at the target yet
 */
public record ObjectStatus(
        ObjectKey object,
        String uid,
        Instant since,
        UpgradeOption target,
        State state,
        @Nullable MachineKey atWork,
        int machines,
        int succeeded,
        int failed,
        @Nullable MachineFailure lastFailure)
        implements Row {

    /** How one of its machines failed. */
    public record MachineFailure(MachineKey machine, Failure failure) {}

    /** The values of the status annotation. */
    public enum State {
        IN_PROGRESS("in-progress"),
        DONE("done"),
        FAILED("failed");

        private final String label;

        State(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.STATUS, object);
    }
}
