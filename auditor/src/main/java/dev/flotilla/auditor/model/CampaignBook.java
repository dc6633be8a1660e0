package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one campaign is about, counted machine by machine as rows change: a fleet is too large to count at each start. */
public final class CampaignBook {
    private final Fleet fleet;
    private final Members members;
    private final CampaignStatus campaign;
    private final Driver driver;
    private final Set<String> selected = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<String> flying = new HashSet<>();
    private final Set<String> upgraded = new HashSet<>();

    /** Machines that failed and of which no status row is left, by name and uid. */
    private final Set<String> gone = new HashSet<>();

    CampaignBook(Fleet fleet, Members members, CampaignStatus campaign, @Nullable CampaignBook before) {
        this.fleet = fleet;
        this.members = members;
        this.campaign = campaign;
        this.driver = campaign.driver();
        if (before != null && before.driver.equals(driver)) {
            gone.addAll(before.gone);
        }
    }

    /** A machine's status row is about to be another one, or none. */
    void leave(String machine, MachineStatus before, @Nullable MachineStatus next) {
        Entry entry = before.entry(driver);
        String left = machine + " " + before.uid();
        if (next != null && next.uid().equals(before.uid())) {
            gone.remove(left);
        } else if (failed.contains(machine) && entry != null && !entry.skipped()) {
            gone.add(left);
        }
    }

    /** Whether this book still counts by what the campaign asks for. */
    boolean isOf(CampaignStatus other) {
        return campaign.uid() == other.uid() && campaign.spec().equals(other.spec());
    }

    void look(String machine) {
        MachineRow row = fleet.machine(machine);
        MachineStatus status = fleet.status(machine);
        mark(selected, machine, row != null && members.selected(row, driver));
        boolean flies = status != null && status.inFlightFor(driver);
        boolean fails = status != null && hasFailed(status, flies, row != null && row.optOut());
        Entry entry = status == null ? null : status.entry(driver);
        mark(failed, machine, fails);
        mark(flying, machine, flies && !fails);
        mark(upgraded, machine, !flies && entry != null && entry.upgraded());
    }

    /** Whether it has still to do with a machine: in flight for it, or a member that has not ended. */
    public boolean wants(String machine) {
        MachineRow row = fleet.machine(machine);
        if (row == null) {
            return false;
        }
        MachineStatus status = fleet.status(machine);
        if (status != null && status.inFlightFor(driver)) {
            return true;
        }
        Entry entry = status == null ? null : status.entry(driver);
        boolean open =
                entry == null ? selected.contains(machine) && fleet.cluster(row.cluster()) != null : !entry.ended();
        return open && !row.optOut();
    }

    private static void mark(Set<String> set, String machine, boolean in) {
        if (in) {
            set.add(machine);
        } else {
            set.remove(machine);
        }
    }

    private boolean hasFailed(MachineStatus status, boolean flies, boolean optedOut) {
        Entry entry = status.entry(driver);
        return entry != null
                && !entry.atTarget()
                && (flies || (!entry.skipped() && !optedOut))
                && (entry.failedAttempts() > 0 || entry.quarantined());
    }

    /** Machines that belong to it and have an inventory row. */
    public Set<String> selected() {
        return selected;
    }

    /** Machines that have failed and not succeeded since. */
    public Set<String> failed() {
        return failed;
    }

    /** Machines that have failed, those included that are no more, by this book or by what the orchestrator says. */
    public int failures(CampaignStatus now) {
        return failed.size() + (int) Math.max(gone.size(), now.failuresOfGone());
    }

    /** Others that are in flight for it. */
    public Set<String> flying() {
        return flying;
    }

    /** Machines that have succeeded after a call. */
    public Set<String> upgraded() {
        return upgraded;
    }
}
