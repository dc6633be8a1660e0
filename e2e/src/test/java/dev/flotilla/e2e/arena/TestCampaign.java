package dev.flotilla.e2e.arena;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.node.SnapReleases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Policy and campaigns of these tests, over all machines, and the progress of one campaign. */
public final class TestCampaign {
    private static final CountOrPercent MAX_UNAVAILABLE = new CountOrPercent.Percent(50);
    private static final RetryRule RETRIES = new RetryRule(2, Duration.ofSeconds(1), Duration.ofSeconds(5));
    private static final int PRIORITY = 50;

    private final int number;
    private final @Nullable Integer budget;

    /** Campaign 1 upgrades every machine by one minor version, campaign 2 by another one. */
    public TestCampaign(int number) {
        this(number, null);
    }

    private TestCampaign(int number, @Nullable Integer budget) {
        this.number = number;
        this.budget = budget;
    }

    /** Returns this campaign with a failure budget. */
    public TestCampaign withBudget(int failures) {
        return new TestCampaign(number, failures);
    }

    static UpgradePolicy policy(int cap) {
        return new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null);
    }

    public CampaignName name() {
        return new CampaignName("rollout-" + number);
    }

    Campaign campaign() {
        return new Campaign(
                name(),
                Labels.NONE,
                new CampaignSpecBuilder(
                                new UpgradeTarget.Channel(SnapReleases.channel(number)), MachineSelection.EVERYTHING)
                        .failureBudget(budget == null ? null : FailureBudget.of(budget))
                        .priority(PRIORITY)
                        .maxUnavailable(MAX_UNAVAILABLE)
                        .retries(RETRIES)
                        .build());
    }

    /** Number of machines that have succeeded so far. */
    public long succeeded(JournalFollower journal) {
        return journal.machines().stream()
                .filter(machine -> outcome(journal, machine).isAtTarget())
                .count();
    }

    /** Number of machines that have ended so far. */
    public long ended(JournalFollower journal) {
        return journal.machines().stream()
                .filter(machine -> outcome(journal, machine).hasEnded())
                .count();
    }

    /**
     * Machines that have not ended and do not wait for an operator. A quarantined control-plane machine blocks the rest
     * of its cluster until an operator acts.
     */
    public List<MachineRow> unfinished(JournalFollower journal) {
        Set<ClusterKey> stopped = new HashSet<>();
        List<MachineRow> unfinished = new ArrayList<>();
        for (MachineRow machine : journal.machines()) {
            MachineOutcome outcome = outcome(journal, machine);
            if (outcome == MachineOutcome.QUARANTINED && machine.role() == MachineRole.CONTROL_PLANE) {
                stopped.add(machine.clusterKey());
            }
            if (!outcome.hasEnded()) {
                unfinished.add(machine);
            }
        }
        unfinished.removeIf(machine -> stopped.contains(machine.clusterKey()));
        return unfinished;
    }

    /** Whether nothing more happens until an operator acts. */
    public boolean isOver(JournalFollower journal) {
        return journal.campaign(name()) != null
                && journal.openAttempts() == 0
                && unfinished(journal).isEmpty();
    }

    private MachineOutcome outcome(JournalFollower journal, MachineRow machine) {
        MachineStatus status = journal.status(machine.key());
        CampaignStatus campaign = journal.campaign(name());
        if (status == null || campaign == null) {
            return MachineOutcome.OPEN;
        }
        return status.entries().stream()
                .filter(entry -> entry.rolloutRef() instanceof RolloutRef.CampaignRef campaignRef
                        && campaignRef.name().equals(name())
                        && campaignRef.uid() == campaign.uid())
                .map(RolloutEntry::outcome)
                .findFirst()
                .orElse(MachineOutcome.OPEN);
    }
}
