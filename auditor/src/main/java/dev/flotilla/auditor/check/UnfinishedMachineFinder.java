package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Invariant 5: who still is to be upgraded. While a run goes on that is no fault; when it is over there must be nobody. */
final class UnfinishedMachineFinder {
    private UnfinishedMachineFinder() {}

    static List<String> listMachines(FleetTables fleetTables, int most) {
        List<String> found = new ArrayList<>();
        for (String machine : fleetTables.inFlight().attempts()) {
            add(found, most, machine + " has an attempt open");
        }
        for (CampaignStatus campaign : fleetTables.campaigns()) {
            CampaignMachineIndex book = fleetTables.campaignMachines(campaign);
            if (campaign.isOver() || book == null) {
                continue;
            }
            for (String id : new TreeSet<>(book.selected())) {
                MachineRow machine = fleetTables.machine(id);
                if (machine != null && fleetTables.membership().isWaiting(machine, campaign.rollout())) {
                    add(found, most, id + " waits in campaign " + campaign.name() + ", which is " + campaign.state());
                }
            }
        }
        return found;
    }

    private static void add(List<String> found, int most, String what) {
        if (found.size() < most) {
            found.add(what);
        }
    }
}
