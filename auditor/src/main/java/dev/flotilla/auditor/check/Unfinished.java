package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignBook;
import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Invariant 5: who still is to be upgraded. While a run goes on that is no fault; when it is over there must be nobody. */
final class Unfinished {
    private Unfinished() {}

    static List<String> machines(Fleet fleet, int most) {
        List<String> found = new ArrayList<>();
        for (String machine : fleet.flights().attempts()) {
            add(found, most, machine + " has an attempt open");
        }
        for (CampaignStatus campaign : fleet.campaigns()) {
            CampaignBook book = fleet.book(campaign);
            if (campaign.over() || book == null) {
                continue;
            }
            for (String id : new TreeSet<>(book.selected())) {
                MachineRow machine = fleet.machine(id);
                if (machine != null && fleet.members().waits(machine, campaign.driver())) {
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
