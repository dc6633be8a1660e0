package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The traces of one transaction: which attempts it ends, and the trace of each record that belongs to an attempt. It reads the state
 * before a decision is put, because the row that ends an attempt does not contain it.
 */
final class TransactionTraces {
    private final FleetState state;
    private final boolean enabled;
    private final List<EndedAttempt> endedAttempts = new ArrayList<>();

    TransactionTraces(FleetState state, boolean enabled) {
        this.state = state;
        this.enabled = enabled;
    }

    /** The attempts that the decisions of the transaction have ended. */
    List<EndedAttempt> endedAttempts() {
        return endedAttempts;
    }

    /** Returns a record of a decision that is not put yet, with the trace of the attempt that it belongs to. */
    WireRecord addTrace(Decision decision, RowChange change, WireRecord record) {
        AttemptTrace trace = enabled ? traceOf(decision, change) : null;
        return trace == null ? record : record.withTrace(trace);
    }

    private @Nullable AttemptTrace traceOf(Decision decision, RowChange change) {
        if (!(change.rowKey().key() instanceof MachineKey key)) {
            return null;
        }
        Table table = change.rowKey().table();
        if (change instanceof MachineStatus status) {
            UpgradeAttempt attempt = status.attempt();
            MachineStatus before = statusBefore(key);
            UpgradeAttempt open = before == null ? null : before.attempt();
            if (before != null && open != null && (attempt == null || attempt.id() != open.id())) {
                AttemptTrace ended = endAttempt(decision, before, open, status.lastFailure());
                return attempt == null ? ended : AttemptTrace.of(key, status.uid(), attempt.id());
            }
            return attempt == null ? null : AttemptTrace.of(key, status.uid(), attempt.id());
        }
        return switch (change) {
            // The id of a preparation is no attempt's.
            case WorkerCommand.PrepareMachine preparation -> null;
            case WorkerCommand command -> AttemptTrace.of(key, command.uid(), command.attemptId());
            case Tombstone tombstone -> traceOfRemoval(decision, key, table);
            default -> null;
        };
    }

    private @Nullable AttemptTrace traceOfRemoval(Decision decision, MachineKey key, Table table) {
        MachineStatus before = table == Table.STATUS || table == Table.COMMANDS ? statusBefore(key) : null;
        UpgradeAttempt open = before == null ? null : before.attempt();
        if (before == null || open == null) {
            return null;
        }
        return table == Table.STATUS
                ? endAttempt(decision, before, open, null)
                : AttemptTrace.of(key, before.uid(), open.id());
    }

    private @Nullable MachineStatus statusBefore(MachineKey key) {
        MachineView machine = state.machine(key);
        return machine == null ? null : machine.status();
    }

    private AttemptTrace endAttempt(
            Decision decision, MachineStatus before, UpgradeAttempt open, @Nullable AttemptFailure lastFailure) {
        endedAttempts.add(new EndedAttempt(
                before.key(),
                before.uid(),
                open,
                decision.event(),
                lastFailure != null && lastFailure.attemptId() == open.id() ? lastFailure : null,
                decision.at()));
        return AttemptTrace.of(before.key(), before.uid(), open.id());
    }
}
