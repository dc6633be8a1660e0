package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignMachineIndex;
import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Invariant 5: finds machines that are still to be upgraded. During a run they are no violation; after its end there
 * must be none.
 */
final class UnfinishedMachineFinder {
    private UnfinishedMachineFinder() {}

    static List<String> listMachines(FleetTables fleetTables, int limit) {
        List<String> found = new ArrayList<>();
        for (String machine : fleetTables.inFlight().attempts()) {
            add(found, limit, machine + " has an open attempt");
        }
        for (CampaignStatus campaign : fleetTables.campaigns()) {
            CampaignMachineIndex index = fleetTables.campaignMachines(campaign);
            if (campaign.isOver() || index == null) {
                continue;
            }
            for (String id : new TreeSet<>(index.selected())) {
                MachineRow machine = fleetTables.machine(id);
                if (machine != null && fleetTables.membership().isWaiting(machine, campaign.rollout())) {
                    add(found, limit, id + " waits in campaign " + campaign.name() + ", which is " + campaign.state());
                }
            }
        }
        return found;
    }

    private static void add(List<String> found, int limit, String what) {
        if (found.size() < limit) {
            found.add(what);
        }
    }
}
