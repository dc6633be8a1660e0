package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.simulator.log.CommittedRows;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who is still asked to do something and has not ended: what invariant 5 says there must be none of, in the end. */
public final class Unfinished {
    private final CommittedRows committed;
    private final Recount rows;
    private final Members members;

    public Unfinished(CommittedRows committed) {
        this.committed = committed;
        this.rows = new Recount(committed, new OrderBook(), new ApprovalBook());
        this.members = new Members(rows);
    }

    /** Machines with an open attempt, or that a campaign or an intent still wants. */
    public Set<MachineKey> machines() {
        Set<MachineKey> found = new LinkedHashSet<>();
        rows.statuses().forEach(status -> {
            if (status.attempt() != null) {
                found.add(status.key());
            }
        });
        List<Driver> drivers = new ArrayList<>();
        for (CampaignStatus campaign : campaigns()) {
            drivers.add(new Driver.OfCampaign(campaign.name(), campaign.uid()));
        }
        for (Intent intent : committed.all(Intent.class)) {
            if (isOfToday(intent) && rows.intent(intent.object()) != null) {
                drivers.add(new Driver.OfIntent(intent.object(), intent.since()));
            }
        }
        for (MachineRow machine : rows.machines()) {
            for (Driver driver : drivers) {
                if (!machine.optOut() && members.selected(machine, driver) && !ended(machine, driver)) {
                    found.add(machine.key());
                }
            }
        }
        return found;
    }

    /** Machines of some sites, and those elsewhere whose node a row of these sites shows as well: it has to let go of it first. */
    public Set<MachineKey> bound(Set<SiteId> sites) {
        Set<MachineKey> bound = new LinkedHashSet<>();
        for (MachineRow machine : rows.machines()) {
            MachineRow first = rows.yieldsTo(machine);
            if (sites.contains(machine.key().site())
                    || (first != null && sites.contains(first.key().site()))) {
                bound.add(machine.key());
            }
        }
        return bound;
    }

    /** Campaigns one of whose machines cannot go where it is wanted, since versions do not follow each other like that. */
    public List<CampaignStatus> outOfReach() {
        VersionRules versions = new VersionRules(rows);
        List<CampaignStatus> found = new ArrayList<>();
        for (CampaignStatus campaign : campaigns()) {
            Driver driver = new Driver.OfCampaign(campaign.name(), campaign.uid());
            boolean any = rows.machines().stream()
                    .anyMatch(machine -> members.selected(machine, driver)
                            && !ended(machine, driver)
                            && versions.outOfOrder(campaign, machine));
            if (any) {
                found.add(campaign);
            }
        }
        return found;
    }

    /** Annotations that one of its machines cannot follow, since versions do not follow each other like that. */
    public List<ObjectKey> annotationsOutOfReach() {
        VersionRules versions = new VersionRules(rows);
        List<ObjectKey> found = new ArrayList<>();
        for (Intent intent : committed.all(Intent.class)) {
            Driver driver = new Driver.OfIntent(intent.object(), intent.since());
            boolean any = rows.machines().stream()
                    .anyMatch(machine -> members.selected(machine, driver)
                            && !ended(machine, driver)
                            && versions.outOfOrder(intent, machine));
            if (any) {
                found.add(intent.object());
            }
        }
        return found;
    }

    /** Campaigns that go on although each of their machines has ended. One that selects nothing yet may wait for ever. */
    public List<CampaignStatus> idleCampaigns() {
        List<CampaignStatus> found = new ArrayList<>();
        for (CampaignStatus campaign : campaigns()) {
            if (members.count(campaign) > 0) {
                found.add(campaign);
            }
        }
        return found;
    }

    private List<CampaignStatus> campaigns() {
        List<CampaignStatus> open = new ArrayList<>();
        for (CampaignStatus campaign : committed.all(CampaignStatus.class)) {
            if (!campaign.state().over()) {
                open.add(campaign);
            }
        }
        return open;
    }

    private boolean isOfToday(Intent intent) {
        return switch (intent.object()) {
            case MachineKey machine -> {
                MachineRow row = rows.machine(machine);
                yield row != null && row.uid().equals(intent.uid());
            }
            case ClusterKey cluster -> {
                ClusterRow row = rows.cluster(cluster);
                yield row != null && row.uid().equals(intent.uid());
            }
            // It has no row; whoever names it is of today.
            case OwnerKey owner -> true;
        };
    }

    private boolean ended(MachineRow machine, Driver driver) {
        var status = rows.status(machine.key());
        Entry entry = Recount.entry(status, driver);
        return entry != null
                && entry.outcome().ended()
                && status != null
                && status.uid().equals(machine.uid());
    }
}
