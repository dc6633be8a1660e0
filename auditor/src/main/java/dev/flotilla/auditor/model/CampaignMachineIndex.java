package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The machines of one campaign, counted machine by machine as rows change, because a fleet is too large to count at
 * each start.
 */
public final class CampaignMachineIndex {
    private final FleetTables fleetTables;
    private final RolloutMembership rolloutMembership;
    private final CampaignStatus campaign;
    private final RolloutRef rolloutRef;
    private final Set<String> selected = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<String> inFlight = new HashSet<>();
    private final Set<String> upgraded = new HashSet<>();

    /** Failed machines without a status row, by name and uid. */
    private final Set<String> failedAndRemoved = new HashSet<>();

    CampaignMachineIndex(
            FleetTables fleetTables,
            RolloutMembership rolloutMembership,
            CampaignStatus campaign,
            @Nullable CampaignMachineIndex before) {
        this.fleetTables = fleetTables;
        this.rolloutMembership = rolloutMembership;
        this.campaign = campaign;
        this.rolloutRef = campaign.rollout();
        if (before != null && before.rolloutRef.equals(rolloutRef)) {
            failedAndRemoved.addAll(before.failedAndRemoved);
        }
    }

    /** A machine's status row is about to change or to be deleted. */
    void beforeStatusChange(String machine, MachineStatus before, @Nullable MachineStatus next) {
        RolloutEntry rolloutEntry = before.entry(rolloutRef);
        String left = machine + " " + before.uid();
        if (next != null && next.uid().equals(before.uid())) {
            failedAndRemoved.remove(left);
        } else if (failed.contains(machine) && rolloutEntry != null && !rolloutEntry.isSkipped()) {
            failedAndRemoved.add(left);
        }
    }

    /** Whether this index still matches the campaign's selection. */
    boolean isSameSpecification(CampaignStatus other) {
        return campaign.uid() == other.uid() && campaign.spec().equals(other.spec());
    }

    void updateMachine(String machine) {
        MachineRow row = fleetTables.machine(machine);
        MachineStatus status = fleetTables.status(machine);
        mark(selected, machine, row != null && rolloutMembership.isSelected(row, rolloutRef));
        boolean flies = status != null && status.isInFlightFor(rolloutRef);
        boolean fails = status != null && hasFailed(status, flies, row != null && row.optOut());
        RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
        mark(failed, machine, fails);
        mark(inFlight, machine, flies && !fails);
        mark(upgraded, machine, !flies && rolloutEntry != null && rolloutEntry.isUpgraded());
    }

    /**
     * Whether the campaign still targets a machine: it is in flight for the campaign, or a member that has not ended and
     * whose provider can apply the target.
     */
    public boolean targetsMachine(String machine) {
        MachineRow row = fleetTables.machine(machine);
        if (row == null) {
            return false;
        }
        MachineStatus status = fleetTables.status(machine);
        if (status != null && status.isInFlightFor(rolloutRef)) {
            return true;
        }
        RolloutEntry rolloutEntry = status == null ? null : status.entry(rolloutRef);
        boolean open = rolloutEntry == null
                ? selected.contains(machine) && fleetTables.cluster(row.cluster()) != null
                : !rolloutEntry.hasEnded();
        return open
                && !row.optOut()
                && fleetTables.policies().canApply(row, campaign.spec().target());
    }

    private static void mark(Set<String> set, String machine, boolean in) {
        if (in) {
            set.add(machine);
        } else {
            set.remove(machine);
        }
    }

    private boolean hasFailed(MachineStatus status, boolean flies, boolean optedOut) {
        RolloutEntry rolloutEntry = status.entry(rolloutRef);
        return rolloutEntry != null
                && !rolloutEntry.isAtTarget()
                && (flies || (!rolloutEntry.isSkipped() && !optedOut))
                && (rolloutEntry.failedAttempts() > 0 || rolloutEntry.isQuarantined());
    }

    /** Members with an inventory row. */
    public Set<String> selected() {
        return selected;
    }

    /** Machines that have failed and have not succeeded since. */
    public Set<String> failed() {
        return failed;
    }

    /** The number of failed machines, including deleted ones, by this index or by the orchestrator's count. */
    public int countFailures(CampaignStatus now) {
        return failed.size() + (int) Math.max(failedAndRemoved.size(), now.failuresOfRemovedMachines());
    }

    /** The other machines in flight for the campaign. */
    public Set<String> inFlight() {
        return inFlight;
    }

    /** Machines that have succeeded after a call. */
    public Set<String> upgraded() {
        return upgraded;
    }
}
