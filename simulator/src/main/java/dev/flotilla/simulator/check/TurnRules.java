package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn a slot is: a campaign of a higher priority goes first, and of equal ones whoever has the fewest in flight for
 * its weight. It is held against campaigns that nothing of their own holds up, and that have a machine which is plainly free.
 */
final class TurnRules {
    /** To find a free machine costs as much as the fleet is large. */
    private static final int LARGEST = 100;

    private final Recount rows;
    private final Verdicts verdicts;
    private final Members members;
    private final ClusterWaves waves;
    private final Dependencies dependencies;
    private final IntentRules intents;
    private final WindowRules windows;
    private final VersionRules versions;
    private final OverlapRules overlaps;

    TurnRules(Recount rows, Verdicts verdicts, Members members, WindowRules windows) {
        this.windows = windows;
        this.rows = rows;
        this.verdicts = verdicts;
        this.members = members;
        this.waves = new ClusterWaves(rows, members);
        this.dependencies = new Dependencies(rows, members);
        this.intents = new IntentRules(rows, verdicts);
        this.versions = new VersionRules(rows);
        this.overlaps = new OverlapRules(rows, members);
    }

    void check(MachineRow started, Driver driver, Instant at) {
        CampaignStatus campaign = rows.campaign(driver);
        if (campaign == null || rows.campaigns().size() < 2 || rows.machines().size() > LARGEST) {
            return;
        }
        for (CampaignStatus other : rows.campaigns()) {
            if (other.uid() != campaign.uid() && goesFirst(other, campaign) && runsFreely(other, at)) {
                MachineRow free = free(other, at);
                verdicts.require(
                        free == null,
                        Invariant.GATES,
                        started.key() + " started for campaign " + campaign.name() + ", but the slot was campaign "
                                + other.name() + "'s, for " + (free == null ? "" : free.key()));
            }
        }
    }

    private boolean goesFirst(CampaignStatus other, CampaignStatus campaign) {
        CampaignSpec its = other.accepted().spec();
        CampaignSpec own = campaign.accepted().spec();
        return its.priority() > own.priority()
                || (its.priority() == own.priority()
                        && inFlight(other) * own.terms().weight()
                                < inFlight(campaign) * its.terms().weight());
    }

    private long inFlight(CampaignStatus campaign) {
        Driver driver = driver(campaign);
        long count = 0;
        for (MachineRow machine : rows.machines()) {
            count += Recount.inFlight(rows.status(machine.key()), driver) ? 1 : 0;
        }
        return count;
    }

    private static Driver driver(CampaignStatus campaign) {
        return new Driver.OfCampaign(campaign.name(), campaign.uid());
    }

    private boolean runsFreely(CampaignStatus other, Instant at) {
        CampaignSpec spec = other.accepted().spec();
        return other.state() == RunState.RUNNING
                && spec.inFlight() == null
                && spec.failureBudget() == null
                && spec.terms().cohorts() == null
                && spec.terms().domains().isEmpty()
                && !spec.terms().strict()
                && (spec.startAt() == null || !at.isBefore(spec.startAt()))
                && (spec.deadline() == null || at.isBefore(spec.deadline()))
                && !rows.anyUnreadable()
                && !rows.approvals().isPending(other)
                && !rows.isPartlyUnread(other)
                && overlaps.waitsFor(other) == null
                && dependencies.met(other);
    }

    private @Nullable MachineRow free(CampaignStatus campaign, Instant at) {
        Map<ClusterKey, Boolean> open = new LinkedHashMap<>();
        for (MachineRow machine : rows.machines()) {
            if (machine.role() == Role.WORKER
                    && isFresh(machine, campaign)
                    && open.computeIfAbsent(machine.clusterKey(), key -> isOpen(key, campaign, at))
                    && isNobodyElses(machine, campaign)
                    && versions.forbids(campaign, machine) == null
                    && windows.lets(machine, campaign, at)) {
                return machine;
            }
        }
        return null;
    }

    private boolean isFresh(MachineRow machine, CampaignStatus campaign) {
        MachineStatus status = rows.status(machine.key());
        return members.selected(machine, driver(campaign))
                && (status == null
                        || (status.attempt() == null
                                && status.uid().equals(machine.uid())
                                && status.entries().size() < Entry.MAX_PER_MACHINE
                                && Recount.entry(status, driver(campaign)) == null))
                && !machine.deleting()
                && !machine.hold()
                && !machine.paused()
                && machine.node() != null
                && !rows.seenTwice(machine)
                && machine.activities().isEmpty();
    }

    private boolean isOpen(ClusterKey key, CampaignStatus campaign, Instant at) {
        ClusterRow cluster = rows.cluster(key);
        Wave own = waves.of(campaign, key);
        WaveStatus wave = rows.wave(campaign, own.name());
        if (own.approvedBefore() && !rows.approvals().isApproved(campaign, own.name())) {
            return false;
        }
        if (cluster == null || cluster.paused() || cluster.hold() || wave == null || wave.opened() == null) {
            return false;
        }
        for (MachineRow machine : rows.machines(key)) {
            boolean done = machine.role() == Role.WORKER || members.isDone(machine, driver(campaign));
            if (!done || !machine.ready() || rows.taken(machine) || rests(rows.status(machine.key()), at)) {
                return false;
            }
        }
        return isOpen(key.site());
    }

    private static boolean rests(@Nullable MachineStatus status, Instant at) {
        return status != null
                && status.entries().stream()
                        .anyMatch(entry -> entry.restUntil() != null && at.isBefore(entry.restUntil()));
    }

    private boolean isOpen(SiteId site) {
        SiteHead head = rows.siteHead(site);
        Heartbeat heartbeat = rows.heartbeat(site);
        if (rows.frozen(site)
                || head == null
                || head.silentSince() != null
                || head.unreachableSince() != null
                || heartbeat == null
                || heartbeat.missing() > 0) {
            return false;
        }
        Policy own = rows.policy(site);
        Policy fleet = rows.policy(Fleet.FLEET);
        Limit cap =
                own != null && own.inFlight() != null ? own.inFlight() : fleet == null ? null : fleet.siteInFlight();
        int machines = 0;
        int inFlight = 0;
        for (MachineRow machine : rows.machines()) {
            boolean here = machine.key().site().equals(site);
            machines += here ? 1 : 0;
            inFlight += here && rows.taken(machine) ? 1 : 0;
        }
        for (MachineStatus status : rows.statuses()) {
            boolean nowhere = rows.machine(status.key()) == null;
            inFlight += nowhere && status.key().site().equals(site) && Recount.inFlight(status) ? 1 : 0;
        }
        return cap == null || inFlight < cap.of(machines);
    }

    private boolean isNobodyElses(MachineRow machine, CampaignStatus campaign) {
        if (intents.first(machine) != null) {
            return false;
        }
        return rows.campaigns().stream()
                .noneMatch(other -> other.uid() != campaign.uid()
                        && !other.state().over()
                        && members.selected(machine, driver(other))
                        && !members.isDone(machine, driver(other)));
    }
}
