package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
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

/** Somebody who comes by in the end and does everything that waits for a person. Whatever stays open then is stuck. */
public final class EndOfRunOperator {
    private static final long ROUND = 3 * 60_000;
    private static final int PATIENCE = 20;

    private final SimFleet fleet;
    private final OperatorTableWriter operatorTableWriter;
    private final VirtualClockScheduler scheduler;
    private final Set<SiteId> outside;
    private final @Nullable SiteId away;
    private int rounds;
    private final Set<String> skipped = new LinkedHashSet<>();

    /**
     * Somebody who looks after what is left to do.
     *
     * @param outside sites that never become well
     * @param away the one of them that nobody hears of, so that it has to be written off; null for none
     */
    public EndOfRunOperator(
            SimFleet fleet,
            OperatorTableWriter operatorTableWriter,
            VirtualClockScheduler scheduler,
            Set<SiteId> outside,
            @Nullable SiteId away) {
        this.outside = Set.copyOf(outside);
        this.away = away;
        this.fleet = fleet;
        this.operatorTableWriter = operatorTableWriter;
        this.scheduler = scheduler;
    }

    /** Begins with a look at everything, and comes by again and again. */
    public void begin(int machines) {
        if (operatorTableWriter.fleetPolicy() == null) {
            operatorTableWriter.write(RandomPolicies.capped(machines));
        }
        for (UpgradePolicy policy : List.copyOf(operatorTableWriter.policies().values())) {
            UpgradePolicy always = RandomPolicies.always(policy);
            // What other controllers were at in a site that is cut off holds its slots for ever.
            operatorTableWriter.write(
                    outside.isEmpty() ? always : RandomPolicies.capped(always, new CountOrPercent.Count(2 * machines)));
        }
        operatorTableWriter.rewrite();
        for (SimMachine machine : fleet.machines()) {
            if (!outside.contains(machine.key().site())) {
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
        round();
    }

    private void round() {
        List<SiteId> sites = new ArrayList<>();
        fleet.sites().forEach(site -> sites.add(site.id()));
        operatorTableWriter.unfreeze(sites);
        for (WatcherHeartbeat heartbeat : operatorTableWriter.committed().all(WatcherHeartbeat.class)) {
            if (heartbeat.withheldRemovals() > 0) {
                operatorTableWriter.order(
                        new OperatorOrderKey.AcceptMassRemoval(heartbeat.site()),
                        OperatorOrder.OrderVerb.ACCEPT_REMOVAL,
                        "they are really gone");
            }
        }
        takeBackIntents();
        operatorTableWriter.repairUnreadableRecords();
        if (away != null && rounds == 0) {
            operatorTableWriter.order(
                    new OperatorOrderKey.WriteOffSite(away), OperatorOrder.OrderVerb.WRITE_OFF, "will not come back");
        }
        if (++rounds > PATIENCE) {
            new UnfinishedMachines(operatorTableWriter.committed())
                    .annotationsOutOfReach()
                    .forEach(this::takeBack);
            for (CampaignStatus campaign :
                    new UnfinishedMachines(operatorTableWriter.committed()).campaignsOutOfReach()) {
                CampaignName name = campaign.name();
                operatorTableWriter.order(
                        name,
                        new OperatorOrderKey.SetCampaignState(name),
                        OperatorOrder.OrderVerb.ABORT,
                        "one minor version after the other");
            }
        }
        for (CampaignStatus status : operatorTableWriter.committed().all(CampaignStatus.class)) {
            if (!status.state().isOver()) {
                mind(status);
            }
        }
        scheduler.after(ROUND, this::round);
    }

    /** What failed for an annotation may hold up its cluster, until somebody takes the annotation away. */
    private void takeBackIntents() {
        for (MachineStatus status : operatorTableWriter.committed().all(MachineStatus.class)) {
            for (RolloutEntry entry : status.entries()) {
                if (entry.outcome() == MachineOutcome.QUARANTINED
                        && entry.rolloutRef() instanceof RolloutRef.IntentRef intent) {
                    takeBack(intent.object());
                }
            }
        }
    }

    private void takeBack(ObjectKey object) {
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

    private void mind(CampaignStatus status) {
        CampaignName name = status.name();
        Instant deadline = status.acceptedCampaign().spec().deadline();
        if (deadline != null && scheduler.instant().isAfter(deadline)) {
            operatorTableWriter.order(
                    name,
                    new OperatorOrderKey.SetCampaignState(name),
                    OperatorOrder.OrderVerb.ABORT,
                    "its time is over");
            return;
        }
        Campaign meant = operatorTableWriter.campaigns().get(name);
        if (meant == null) {
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
                || spec.maxInFlight() != null
                || spec.maxInFlightPerCluster() != null
                || !spec.constraints().dependsOn().isEmpty()
                || !spec.constraints().windows().isEmpty()
                || spec.constraints().cohortRule() != null
                || !spec.constraints().domainCaps().isEmpty()
                || !spec.constraints().allowDowngrade()) {
            operatorTableWriter.write(new Campaign(name, meant.labels(), RandomCampaignEdits.unbounded(spec)));
        }
        boolean pending = status.approvals().editPending();
        for (Wave wave : status.acceptedCampaign().spec().waves()) {
            WaveStatus known = wave(status, wave);
            boolean closed = known != null && known.closedAt() != null;
            boolean opened = known != null && known.openedAt() != null;
            boolean approved = known != null && known.approvedBy() != null;
            boolean waits = wave.needsApprovalBefore() ? !opened || !approved : wave.needsApprovalAfter() && !approved;
            if (!closed && (waits || pending)) {
                pending = false;
                operatorTableWriter.order(
                        name,
                        new OperatorOrderKey.ApproveWave(name, wave.name()),
                        OperatorOrder.OrderVerb.APPROVE,
                        "go on");
            }
        }
        CampaignStatus earlier = operatorTableWriter.earlier(status);
        if (earlier != null && !status.mayRunBeside(earlier)) {
            operatorTableWriter.order(
                    name,
                    new OperatorOrderKey.ApproveOverlap(name),
                    OperatorOrder.OrderVerb.APPROVE,
                    "one after the other");
        }
        skipQuarantined(status);
        skipOutside(status);
    }

    /** Who waits for a site that never becomes well does without its machines. */
    private void skipOutside(CampaignStatus status) {
        Set<MachineKey> bound = outside.isEmpty()
                ? Set.of()
                : new UnfinishedMachines(operatorTableWriter.committed()).boundToSites(outside);
        for (MachineRow machine : operatorTableWriter.committed().all(MachineRow.class)) {
            if (bound.contains(machine.key())
                    && !machine.key().site().equals(away)
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
                        && skipped.add(status.uid() + "/" + machine.key() + "/" + machine.uid())) {
                    operatorTableWriter.order(
                            status.name(),
                            new OperatorOrderKey.SkipMachine(status.name(), machine.key()),
                            OperatorOrder.OrderVerb.SKIP,
                            "mended by hand later");
                }
            }
        }
    }
}
