package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import org.jspecify.annotations.Nullable;

/** When a quarantine ends: by a retry order of its own campaign that came after it. */
public final class Quarantine {
    private Quarantine() {}

    /**
     * Whether a campaign's last retry order came after its entry of a machine was quarantined. Entries of earlier versions do not
     * say when that was; the failed attempt came before it.
     */
    public static boolean isLifted(CampaignStatus campaign, MachineStatus machine, Entry entry) {
        Failure failure = machine.lastFailure();
        long since = entry.quarantineSeq() != null ? entry.quarantineSeq() : failure == null ? 0 : failure.attempt();
        return entry.outcome() == Outcome.QUARANTINED && since < campaign.retriedBelow();
    }

    static boolean isLifted(CampaignRollout campaign, @Nullable MachineStatus machine) {
        Driver driver = campaign.driver();
        if (machine != null) {
            for (Entry entry : machine.entries()) {
                if (entry.driver().equals(driver)) {
                    return isLifted(campaign.status(), machine, entry);
                }
            }
        }
        return false;
    }
}
