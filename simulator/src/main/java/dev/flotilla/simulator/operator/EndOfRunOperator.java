package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.simulator.check.UnfinishedMachines;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An operator who does everything at the end of a run that waits for a person. What stays open after that is stuck. */
public final class EndOfRunOperator {
    private static final long ROUND_INTERVAL = 3 * 60_000;
    private static final int ROUNDS_BEFORE_GIVING_UP = 20;
    /** A skip is rejected while the site's topics cannot be used. */
    private static final int ROUNDS_BEFORE_SKIPPING_AGAIN = 5;

    private final SimFleet fleet;
    private final OperatorTableWriter operatorTableWriter;
    private final VirtualClockScheduler scheduler;
    private final Set<SiteId> faultySites;
    private final @Nullable SiteId siteToWriteOff;
    private int rounds;
    private final Set<String> skipped = new LinkedHashSet<>();

    /**
     * Creates the operator.
     *
     * @param outside sites with a permanent fault
     * @param unusableSite the one of them with unusable topics, which has to be written off; null for none
     */
    public EndOfRunOperator(
            SimFleet fleet,
            OperatorTableWriter operatorTableWriter,
            VirtualClockScheduler scheduler,
            Set<SiteId> outside,
            @Nullable SiteId unusableSite) {
        this.faultySites = Set.copyOf(outside);
        this.siteToWriteOff = unusableSite;
        this.fleet = fleet;
        this.operatorTableWriter = operatorTableWriter;
        this.scheduler = scheduler;
    }

    /** Clears everything that blocks, then repeats the remaining work in rounds. */
    public void begin(int machines) {
        if (operatorTableWriter.fleetPolicy() == null) {
            operatorTableWriter.write(RandomPolicies.capped(machines).withProviderRules(ProviderRules.of(fleet)));
        }
        for (UpgradePolicy policy : List.copyOf(operatorTableWriter.policies().values())) {
            UpgradePolicy always = RandomPolicies.withoutRestrictions(policy);
            if (policy.scope() == FleetScope.FLEET) {
                always = always.withProviderRules(ProviderRules.of(fleet));
            }
            // Activities of other controllers in a cut-off site hold its slots forever.
            operatorTableWriter.write(
                    faultySites.isEmpty()
                            ? always
                            : RandomPolicies.capped(always, new CountOrPercent.Count(2 * machines)));
        }
        operatorTableWriter.rewrite();
        for (SimMachine machine : fleet.machines()) {
            if (!faultySites.contains(machine.key().site())) {
                machine.node().repair();
            }
            fleet.clearBlockingStates(machine);
        }
        fleet.clusters().forEach(cluster -> {
            fleet.setHold(cluster, false);
            fleet.setPaused(cluster, false);
        });
        fleet.owners().forEach(owner -> {
            fleet.setHold(owner, false);
            fleet.setPaused(owner, false);
        });
        runRound();
    }

    private void runRound() {
        List<SiteId> sites = new ArrayList<>();
        fleet.sites().forEach(site -> sites.add(site.id()));
        operatorTableWriter.unfreeze(sites);
        for (WatcherHeartbeat heartbeat : operatorTableWriter.committed().all(WatcherHeartbeat.class)) {
            if (heartbeat.withheldRemovals() > 0) {
                operatorTableWriter.order(
                        new OperatorOrderKey.AcceptMassRemoval(heartbeat.site()),
                        OperatorOrder.OrderVerb.ACCEPT_REMOVAL,
                        "the machines are really deleted");
            }
        }
        removeFailedIntents();
        operatorTableWriter.repairUnreadableRecords();
        if (siteToWriteOff != null && rounds == 0) {
            operatorTableWriter.order(
                    new OperatorOrderKey.WriteOffSite(siteToWriteOff),
                    OperatorOrder.OrderVerb.WRITE_OFF,
                    "the site will not return");
        }
        if (++rounds > ROUNDS_BEFORE_GIVING_UP) {
            new UnfinishedMachines(operatorTableWriter.committed())
                    .annotationsOutOfReach()
                    .forEach(this::removeIntent);
            for (CampaignStatus campaign :
                    new UnfinishedMachines(operatorTableWriter.committed()).campaignsOutOfReach()) {
                CampaignName name = campaign.name();
                operatorTableWriter.order(
                        name,
                        new OperatorOrderKey.SetCampaignState(name),
                        OperatorOrder.OrderVerb.ABORT,
                        "the target skips a minor version");
            }
        }
        for (CampaignStatus status : operatorTableWriter.committed().all(CampaignStatus.class)) {
            if (!status.state().isOver()) {
                completeCampaign(status);
            }
        }
        scheduler.after(ROUND_INTERVAL, this::runRound);
    }

    /** Removes the intents with a quarantined machine, because such a machine may block its cluster. */
    private void removeFailedIntents() {
        for (MachineStatus status : operatorTableWriter.committed().all(MachineStatus.class)) {
            for (RolloutEntry entry : status.entries()) {
                if (entry.outcome() == MachineOutcome.QUARANTINED
                        && entry.rolloutRef() instanceof RolloutRef.IntentRef intent) {
                    removeIntent(intent.object());
                }
            }
        }
    }

    private void removeIntent(ObjectKey object) {
        fleet.clusters().stream()
                .filter(cluster -> cluster.key().equals(object) && cluster.intent() != null)
                .forEach(cluster -> fleet.setIntent(cluster, null));
        fleet.owners().stream()
                .filter(owner -> owner.key().equals(object) && owner.intent() != null)
                .forEach(owner -> fleet.setIntent(owner, null));
        SimMachine machine = object instanceof MachineKey key ? fleet.machine(key) : null;
        if (machine != null && machine.intent() != null) {
            fleet.setIntent(machine, null);
        }
    }

    private void completeCampaign(CampaignStatus status) {
        CampaignName name = status.name();
        Instant deadline = status.acceptedCampaign().spec().deadline();
        if (deadline != null && scheduler.instant().isAfter(deadline)) {
            operatorTableWriter.order(
                    name,
                    new OperatorOrderKey.SetCampaignState(name),
                    OperatorOrder.OrderVerb.ABORT,
                    "its deadline has passed");
            return;
        }
        Campaign written = operatorTableWriter.campaigns().get(name);
        if (written == null) {
            operatorTableWriter.order(
                    name,
                    new OperatorOrderKey.SetCampaignState(name),
                    OperatorOrder.OrderVerb.ABORT,
                    "it was paused when it was removed");
            return;
        }
        if (status.state() == CampaignState.PAUSED) {
            operatorTableWriter.order(
                    name, new OperatorOrderKey.SetCampaignState(name), OperatorOrder.OrderVerb.RUN, "go on");
        }
        CampaignSpec spec = status.acceptedCampaign().spec();
        if (spec.failureBudget() != null
                || spec.caps().maxInFlight() != null
                || spec.cluster().maxInFlight() != null
                || !spec.dependsOn().isEmpty()
                || !spec.windows().isEmpty()
                || spec.cohortCircuitBreaker() != null
                || !spec.caps().domains().isEmpty()
                || !spec.target().allowDowngrade()
                || ProviderRules.selectsTooMuch(fleet, spec)) {
            operatorTableWriter.write(new Campaign(
                    name,
                    written.labels(),
                    ProviderRules.withoutInapplicable(fleet, RandomCampaignEdits.unbounded(spec))));
        }
        boolean pending = status.approvals().editPending();
        for (Wave wave : status.acceptedCampaign().spec().waves()) {
            WaveStatus known = wave(status, wave);
            boolean closed = known != null && known.closedAt() != null;
            boolean opened = known != null && known.openedAt() != null;
            boolean approved = known != null && known.approvedBy() != null;
            boolean awaitsApproval =
                    wave.needsApprovalBefore() ? !opened || !approved : wave.needsApprovalAfter() && !approved;
            if (!closed && (awaitsApproval || pending)) {
                pending = false;
                operatorTableWriter.order(
                        name,
                        new OperatorOrderKey.ApproveWave(name, wave.name()),
                        OperatorOrder.OrderVerb.APPROVE,
                        "go on");
            }
        }
        CampaignStatus earlier = operatorTableWriter.earlierOverlapping(status);
        if (earlier != null && !status.mayOverlap(earlier)) {
            operatorTableWriter.order(
                    name,
                    new OperatorOrderKey.ApproveOverlap(name),
                    OperatorOrder.OrderVerb.APPROVE,
                    "the overlap is intended");
        }
        skipQuarantined(status);
        skipMachinesOfFaultySites(status);
    }

    /** Skips machines that depend on a site with a permanent fault. */
    private void skipMachinesOfFaultySites(CampaignStatus status) {
        if (faultySites.isEmpty()) {
            return;
        }
        Set<MachineKey> bound = new UnfinishedMachines(operatorTableWriter.committed()).boundToSites(faultySites);
        for (MachineRow machine : operatorTableWriter.committed().all(MachineRow.class)) {
            // Its name's earlier machine may have an open attempt; until that has ended it cannot be skipped.
            boolean isOtherStatus = operatorTableWriter.committed().get(new RowKey(Table.STATUS, machine.key()))
                            instanceof MachineStatus known
                    && !known.uid().equals(machine.uid());
            if (bound.contains(machine.key())
                    && !isOtherStatus
                    && !machine.key().site().equals(siteToWriteOff)
                    && skipped.add(status.uid() + "/" + machine.key() + "/" + machine.uid() + "/outside")) {
                operatorTableWriter.order(
                        status.name(),
                        new OperatorOrderKey.SkipMachine(status.name(), machine.key()),
                        OperatorOrder.OrderVerb.SKIP,
                        "its site is lost");
            }
        }
    }

    private @Nullable WaveStatus wave(CampaignStatus status, Wave wave) {
        for (WaveStatus row : operatorTableWriter.committed().all(WaveStatus.class)) {
            if (row.key().equals(new WaveKey(status.name(), wave.name())) && row.campaignUid() == status.uid()) {
                return row;
            }
        }
        return null;
    }

    private void skipQuarantined(CampaignStatus status) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(status.name(), status.uid());
        for (MachineStatus machine : operatorTableWriter.committed().all(MachineStatus.class)) {
            for (RolloutEntry entry : machine.entries()) {
                if (entry.rolloutRef().equals(rolloutRef)
                        && entry.outcome() == MachineOutcome.QUARANTINED
                        && skipped.add(status.uid() + "/" + machine.key() + "/" + machine.uid() + "/"
                                + rounds / ROUNDS_BEFORE_SKIPPING_AGAIN)) {
                    operatorTableWriter.order(
                            status.name(),
                            new OperatorOrderKey.SkipMachine(status.name(), machine.key()),
                            OperatorOrder.OrderVerb.SKIP,
                            "repaired by hand later");
                }
            }
        }
    }
}
