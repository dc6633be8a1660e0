package dev.flotilla.e2e.arena;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.node.Releases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the operators of these tests want: a cap, and campaigns over everything; and how far such a one is. */
public final class Rollout {
    private static final Limit MAX_UNAVAILABLE = new Limit.Percent(50);
    private static final RetryRule RETRIES = new RetryRule(2, Duration.ofSeconds(1), Duration.ofSeconds(5));
    private static final int PRIORITY = 50;

    private final int number;
    private final @Nullable Integer budget;

    /** The first moves every machine by one minor version, the second by another. */
    public Rollout(int number) {
        this(number, null);
    }

    private Rollout(int number, @Nullable Integer budget) {
        this.number = number;
        this.budget = budget;
    }

    /** The same with a failure budget. */
    public Rollout withBudget(int failures) {
        return new Rollout(number, failures);
    }

    static Policy policy(int cap) {
        return new Policy(Fleet.FLEET, new Limit.Count(cap), null, false, null, null, null, null);
    }

    public CampaignName name() {
        return new CampaignName("rollout-" + number);
    }

    Campaign campaign() {
        return new Campaign(
                name(),
                Labels.NONE,
                new CampaignSpec(
                        new UpgradeOption.Channel(Releases.channel(number)),
                        null,
                        Selection.EVERYTHING,
                        List.of(new Wave("all", List.of(), Selector.ALL, false, 100)),
                        null,
                        null,
                        budget == null ? null : FailureBudget.of(budget),
                        null,
                        null,
                        PRIORITY,
                        MAX_UNAVAILABLE,
                        true,
                        RETRIES));
    }

    /** Machines that have succeeded so far. */
    public long succeeded(Journal journal) {
        return journal.machines().stream()
                .filter(machine -> outcome(journal, machine).atTarget())
                .count();
    }

    /** Machines that have ended so far, however. */
    public long ended(Journal journal) {
        return journal.machines().stream()
                .filter(machine -> outcome(journal, machine).ended())
                .count();
    }

    /**
     * Machines that have not ended and that nobody is waited for. A control-plane machine in quarantine stops the rest of
     * its cluster until somebody says otherwise.
     */
    public List<MachineRow> unfinished(Journal journal) {
        Set<ClusterKey> stopped = new HashSet<>();
        List<MachineRow> unfinished = new ArrayList<>();
        for (MachineRow machine : journal.machines()) {
            Outcome outcome = outcome(journal, machine);
            if (outcome == Outcome.QUARANTINED && machine.role() == Role.CONTROL_PLANE) {
                stopped.add(machine.clusterKey());
            }
            if (!outcome.ended()) {
                unfinished.add(machine);
            }
        }
        unfinished.removeIf(machine -> stopped.contains(machine.clusterKey()));
        return unfinished;
    }

    /** Whether nothing more happens by itself. */
    public boolean isOver(Journal journal) {
        return journal.campaign(name()) != null
                && journal.open() == 0
                && unfinished(journal).isEmpty();
    }

    private Outcome outcome(Journal journal, MachineRow machine) {
        MachineStatus status = journal.status(machine.key());
        CampaignStatus campaign = journal.campaign(name());
        if (status == null || campaign == null) {
            return Outcome.OPEN;
        }
        return status.entries().stream()
                .filter(entry -> entry.driver() instanceof Driver.OfCampaign driver
                        && driver.name().equals(name())
                        && driver.uid() == campaign.uid())
                .map(Entry::outcome)
                .findFirst()
                .orElse(Outcome.OPEN);
    }
}
