package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Terms.Dependency;
import org.jspecify.annotations.Nullable;

/** Whether campaigns have come so far as others wait for. */
final class Dependencies {
    private static final int HUNDRED = 100;

    private final Recount rows;
    private final Members members;

    Dependencies(Recount rows, Members members) {
        this.rows = rows;
        this.members = members;
    }

    boolean met(CampaignStatus campaign) {
        return campaign.accepted().spec().terms().dependsOn().stream().allMatch(this::isMet);
    }

    private boolean isMet(Dependency dependency) {
        CampaignStatus other = named(dependency.campaign());
        if (other == null) {
            return false;
        }
        Driver driver = new Driver.OfCampaign(other.name(), other.uid());
        long counted = 0;
        long atTarget = 0;
        for (MachineRow machine : rows.machines()) {
            boolean known = other.state() != RunState.COMPLETED
                    || !rows.isUnread(machine.key().site());
            if (known && members.selected(machine, driver)) {
                MachineStatus status = rows.status(machine.key());
                Entry entry = Recount.entry(status, driver);
                boolean flying = Recount.inFlight(status, driver);
                Outcome ended = entry == null || flying || !entry.outcome().ended() ? null : entry.outcome();
                boolean skipped = ended == null ? machine.optOut() && !flying : ended == Outcome.SKIPPED;
                boolean late = ended == null && other.state() == RunState.COMPLETED;
                counted += skipped || late ? 0 : 1;
                atTarget += ended != null && ended.atTarget() ? 1 : 0;
            }
        }
        return counted > 0 && atTarget * HUNDRED >= counted * dependency.successPercent();
    }

    private @Nullable CampaignStatus named(CampaignName name) {
        for (CampaignStatus campaign : rows.campaigns()) {
            if (campaign.name().equals(name)) {
                return campaign;
            }
        }
        return null;
    }
}
