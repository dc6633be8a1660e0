package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.simulator.log.CommittedRows;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether everything has come to its end, and if not, what is stuck where. */
final class Ending {
    private static final int ENOUGH = 20;

    private final World world;

    Ending(World world) {
        this.world = world;
    }

    /** Whether all campaigns are over, all asked for is done or quarantined, and no attempt is open. */
    boolean reached() {
        CommittedRows rows = world.committed();
        for (CampaignStatus campaign : rows.all(CampaignStatus.class)) {
            if (!campaign.state().over()) {
                return false;
            }
        }
        for (MachineStatus status : rows.all(MachineStatus.class)) {
            if (status.attempt() != null) {
                return false;
            }
        }
        return world.desk().campaigns().keySet().stream()
                        .allMatch(name -> world.desk().status(name) != null)
                && waiting(rows).isEmpty();
    }

    List<Stuck> stuck() {
        CommittedRows rows = world.committed();
        List<Stuck> stuck = new ArrayList<>();
        Set<MachineKey> named = new LinkedHashSet<>();
        for (MachineStatus status : rows.all(MachineStatus.class)) {
            if (status.attempt() != null && named.add(status.key())) {
                stuck.add(new Stuck(world.plan().seed(), status.key().toString(), "attempt " + status.attempt()));
            }
        }
        for (MachineKey key : waiting(rows)) {
            if (named.add(key)) {
                stuck.add(new Stuck(world.plan().seed(), key.toString(), gate(key)));
            }
        }
        for (CampaignStatus campaign : rows.all(CampaignStatus.class)) {
            if (!campaign.state().over()) {
                stuck.add(new Stuck(
                        world.plan().seed(),
                        "campaign " + campaign.name(),
                        campaign.state().label()));
            }
        }
        return stuck.size() > ENOUGH ? stuck.subList(0, ENOUGH) : stuck;
    }

    private String gate(MachineKey key) {
        return "waits";
    }

    /** Machines that somebody still wants upgraded: open entries, and intents that nothing has come of. */
    private Set<MachineKey> waiting(CommittedRows rows) {
        Set<MachineKey> waiting = new LinkedHashSet<>();
        for (MachineStatus status : rows.all(MachineStatus.class)) {
            for (Entry entry : status.entries()) {
                if (!entry.outcome().ended() && wanted(entry.driver(), rows)) {
                    waiting.add(status.key());
                }
            }
        }
        for (Intent intent : rows.all(Intent.class)) {
            if (intent.object() instanceof MachineKey key && open(key, intent, rows)) {
                waiting.add(key);
            }
        }
        return waiting;
    }

    private static boolean wanted(Driver driver, CommittedRows rows) {
        return switch (driver) {
            case Driver.OfCampaign campaign ->
                rows.all(CampaignStatus.class).stream()
                        .anyMatch(status -> status.uid() == campaign.uid()
                                && !status.state().over());
            case Driver.OfIntent intent ->
                rows.all(Intent.class).stream()
                        .anyMatch(row -> row.object().equals(intent.object())
                                && row.since().equals(intent.since()));
        };
    }

    private static boolean open(MachineKey key, Intent intent, CommittedRows rows) {
        Driver driver = new Driver.OfIntent(intent.object(), intent.since());
        for (MachineRow row : rows.all(MachineRow.class)) {
            if (row.key().equals(key)) {
                return !row.optOut() && row.uid().equals(intent.uid()) && !ended(key, driver, rows);
            }
        }
        return false;
    }

    private static boolean ended(MachineKey key, Driver driver, CommittedRows rows) {
        for (MachineStatus status : rows.all(MachineStatus.class)) {
            if (status.key().equals(key)) {
                return status.entries().stream()
                        .anyMatch(entry ->
                                entry.driver().equals(driver) && entry.outcome().ended());
            }
        }
        return false;
    }
}
