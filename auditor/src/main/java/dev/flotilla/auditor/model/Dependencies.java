package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Spec.Dependency;

/** Whether the campaigns that one waits for have come so far. */
public final class Dependencies {
    private static final long HUNDRED = 100;

    private final Fleet fleet;

    public Dependencies(Fleet fleet) {
        this.fleet = fleet;
    }

    public boolean met(CampaignStatus campaign) {
        for (Dependency dependency : campaign.spec().dependsOn()) {
            if (fleet.campaigns().stream()
                    .noneMatch(other -> other.name().equals(dependency.campaign())
                            && hasSucceeded(other, dependency.successPercent()))) {
                return false;
            }
        }
        return true;
    }

    /** Skipped machines do not count, nor does who joined a campaign that is complete. */
    private boolean hasSucceeded(CampaignStatus campaign, long percent) {
        Driver driver = campaign.driver();
        long counted = 0;
        long succeeded = 0;
        for (MachineRow machine : fleet.awaited()) {
            if (!fleet.members().selected(machine, driver)) {
                continue;
            }
            MachineStatus status = fleet.status(machine.id());
            Entry entry = status == null ? null : status.entry(driver);
            boolean flies = status != null && status.inFlightFor(driver);
            if (entry != null && entry.ended() && !flies) {
                counted += entry.skipped() ? 0 : 1;
                succeeded += entry.atTarget() ? 1 : 0;
            } else if (flies || (!machine.optOut() && !campaign.state().equals("completed"))) {
                counted++;
            }
        }
        return counted > 0 && succeeded * HUNDRED >= counted * percent;
    }
}
