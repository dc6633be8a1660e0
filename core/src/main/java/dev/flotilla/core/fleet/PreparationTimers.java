package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.time.MachineTimerQueue;
import dev.flotilla.core.fleet.time.PreparationLimits;
import dev.flotilla.schemas.row.MachinePreparation;
import java.time.Instant;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Until when reports of preparations are awaited. A parked machine is not reviewed. */
final class PreparationTimers {
    private final FleetInventory inventory;
    private final IntPredicate isParked;
    private final MachineTimerQueue timers;

    PreparationTimers(FleetInventory inventory, IntPredicate isParked) {
        this.inventory = inventory;
        this.isParked = isParked;
        this.timers = new MachineTimerQueue(inventory.machines()::compareKeys);
    }

    /** Schedules the timer of a machine as its status row requires. */
    void schedule(int machine) {
        MachinePreparation preparation = inventory.machines().statuses().preparation(machine);
        timers.set(
                machine,
                preparation != null
                                && preparation.progress()
                                        instanceof MachinePreparation.PreparationProgress.Preparing preparing
                                && !isParked.test(machine)
                        ? preparing
                                .deadline()
                                .plus(PreparationLimits.REPORT_GRACE)
                                .toEpochMilli()
                        : MachineTimerQueue.NEVER);
    }

    /** Removes a machine whose status row was removed. */
    void remove(int machine) {
        timers.set(machine, MachineTimerQueue.NEVER);
    }

    /** When the first timer is due, in milliseconds; {@link MachineTimerQueue#NEVER} for none. */
    long nextTimerAt() {
        return timers.nextDueMillis();
    }

    /** A machine whose report is overdue; null for none. */
    @Nullable
    MachineView nextSilent(Instant now) {
        return timers.nextDueMillis() > now.toEpochMilli()
                ? null
                : new MachineView(inventory.machines(), timers.first());
    }
}
