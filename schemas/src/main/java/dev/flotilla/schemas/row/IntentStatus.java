package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an owner's or a cluster's intent.
 *
 * @param requestedAt when the intent's annotation changed; with the object it identifies the intent
 * @param currentMachine a machine that is being upgraded for it now
 * @param lastFailure the last failure of a machine that is not at the target yet
 */
public record IntentStatus(
        ObjectKey object,
        String uid,
        Instant requestedAt,
        UpgradeTarget target,
        IntentState state,
        @Nullable MachineKey currentMachine,
        int machines,
        int succeeded,
        int failed,
        @Nullable MachineFailure lastFailure)
        implements TableRow {

    /** A machine and its failure. */
    public record MachineFailure(MachineKey machine, AttemptFailure failure) {}

    /** The values of the status annotation. */
    public enum IntentState {
        IN_PROGRESS("in-progress"),
        DONE("done"),
        FAILED("failed");

        private final String label;

        IntentState(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, object);
    }
}
