package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Cores that drop an open attempt when the inventory changes. */
final class BrokenInventoryCores {
    private BrokenInventoryCores() {}

    static List<BrokenCore> all() {
        return List.of(
                new BrokenCore(
                                "slot-freed-by-another-uid",
                                "a machine in flight whose uid changes frees its slot, even on the same node",
                                SystemUnderTest.REAL.with(() -> BrokenInventoryCores::dropOnUidChange))
                        .expectedToBreak(Invariant.SLOT_HISTORY),
                new BrokenCore(
                                "slot-freed-by-another-deletion",
                                "a machine in flight frees its slot when another machine of its name is deleted",
                                SystemUnderTest.REAL.with(() -> BrokenInventoryCores::dropOnDeletion))
                        .expectedToBreak(Invariant.SLOT_HISTORY),
                core(
                                "attempt-leaves-with-its-row",
                                "a machine in flight without an inventory row does not count in its cluster",
                                BrokenInventoryCores::withoutAdmittedMachine)
                        .expectedToBreak(
                                Invariant.ORDER, Invariant.WORKERS, Invariant.ONE_AT_A_TIME, Invariant.CLUSTER_CAP));
    }

    private static Decision dropOnUidChange(FleetState state, DecisionInput input) {
        MachineRow row = input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof MachineRow received
                ? received
                : null;
        Decision decision = FleetDecider.standard().decide(state, input);
        MachineView known = row == null ? null : state.machine(row.key());
        MachineStatus status = known == null ? null : known.status();
        boolean another = row != null && status != null && !row.uid().equals(status.uid());
        return another ? dropAttempt(decision, known) : decision;
    }

    private static Decision dropOnDeletion(FleetState state, DecisionInput input) {
        Tombstone tombstone = input instanceof DecisionInput.RecordReceived recordReceived
                        && recordReceived.change() instanceof Tombstone received
                ? received
                : null;
        MachineView known = tombstone != null
                        && tombstone.rowKey().table() == Table.INVENTORY
                        && tombstone.rowKey().key() instanceof MachineKey key
                ? state.machine(key)
                : null;
        boolean deleting = known != null && known.deleting();
        Decision decision = FleetDecider.standard().decide(state, input);
        return deleting ? dropAttempt(decision, known) : decision;
    }

    /** Drops an attempt that the decision would continue. */
    private static Decision dropAttempt(Decision decision, @Nullable MachineView known) {
        MachineStatus status = known == null ? null : known.status();
        if (status == null || status.attempt() == null || decision.event() != DecisionEvent.INVENTORY_CHANGED) {
            return decision;
        }
        List<RowChange> changes = new ArrayList<>(decision.changes());
        changes.add(0, new Tombstone(status.rowKey()));
        return new Decision(
                decision.seq(),
                decision.at(),
                DecisionEvent.ATTEMPT_VANISHED,
                decision.subject(),
                decision.reason(),
                changes);
    }

    private static BrokenCore core(String name, String what, UnaryOperator<RowChange> change) {
        return new BrokenCore(
                name, what, SystemUnderTest.REAL.with(() -> (state, input) -> changed(state, input, change)));
    }

    private static Decision changed(FleetState state, DecisionInput input, UnaryOperator<RowChange> change) {
        return DecisionRewriter.each(FleetDecider.standard().decide(state, input), change);
    }

    private static RowChange withoutAdmittedMachine(RowChange rowChange) {
        UpgradeAttempt attempt = rowChange instanceof MachineStatus status ? status.attempt() : null;
        return rowChange instanceof MachineStatus status && attempt != null
                ? status.with(new UpgradeAttempt(
                        attempt.id(),
                        attempt.rolloutRef(),
                        attempt.target(),
                        attempt.state(),
                        attempt.admittedAt(),
                        attempt.cancelled(),
                        null))
                : rowChange;
    }
}
