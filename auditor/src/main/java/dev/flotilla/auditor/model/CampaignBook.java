package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import java.util.HashSet;
import java.util.Set;

/** What one campaign is about, counted machine by machine as rows change: a fleet is too large to count at each start. */
public final class CampaignBook {
    private final Fleet fleet;
    private final Members members;
    private final CampaignStatus campaign;
    private final Driver driver;
    private final Set<String> selected = new HashSet<>();
    private final Set<String> atRisk = new HashSet<>();

    CampaignBook(Fleet fleet, Members members, CampaignStatus campaign) {
        this.fleet = fleet;
        this.members = members;
        this.campaign = campaign;
        this.driver = campaign.driver();
    }

    /** Whether this book still counts by what the campaign asks for. */
    boolean isOf(CampaignStatus other) {
        return campaign.uid() == other.uid() && campaign.spec().equals(other.spec());
    }

    void look(String machine) {
        MachineRow row = fleet.machine(machine);
        MachineStatus status = fleet.status(machine);
        mark(selected, machine, row != null && members.selected(row, driver));
        mark(atRisk, machine, status != null && isAtRisk(status, row != null && row.optOut()));
    }

    private static void mark(Set<String> set, String machine, boolean in) {
        if (in) {
            set.add(machine);
        } else {
            set.remove(machine);
        }
    }

    private boolean isAtRisk(MachineStatus status, boolean optedOut) {
        if (status.attempt() != null && status.attempt().driver().equals(driver)) {
            return true;
        }
        Entry entry = status.entry(driver);
        return entry != null
                && !entry.atTarget()
                && !entry.skipped()
                && !optedOut
                && (entry.failedAttempts() > 0 || entry.quarantined());
    }

    /** Machines that belong to it and have an inventory row. */
    public Set<String> selected() {
        return selected;
    }

    /** Machines that have failed, or may yet: those in flight for it. */
    public Set<String> atRisk() {
        return atRisk;
    }
}
