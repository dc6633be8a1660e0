package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Writes mistaken orders: one order id for all orders, tombstones, the uid of last week's campaign, the topic of an
 * earlier version. It also writes the orders of an auditor that is wrong.
 */
final class MistakenOrderWriter {
    private static final int MINUTE = 60_000;

    /** The percentage of worlds in which an operator lifts freezes in the auditor's name. */
    private static final int WORLDS_WITH_AN_IMPOSTOR = 15;

    private static final List<OperatorOrder.OrderVerb> STATES =
            List.of(OperatorOrder.OrderVerb.RUN, OperatorOrder.OrderVerb.PAUSE, OperatorOrder.OrderVerb.ABORT);

    private final SeededRandom chance;
    private final SimFleet fleet;
    private final OperatorTableWriter operatorTableWriter;
    private final VirtualClockScheduler scheduler;
    private final SeededRandom budgets;
    private final SeededRandom starts;
    private final SeededRandom auditor;
    private final boolean impostor;

    MistakenOrderWriter(
            SeededRandom chance,
            SimFleet fleet,
            OperatorTableWriter operatorTableWriter,
            VirtualClockScheduler scheduler) {
        this.chance = chance;
        this.fleet = fleet;
        this.operatorTableWriter = operatorTableWriter;
        this.scheduler = scheduler;
        this.budgets = chance.split("budgets");
        this.starts = chance.split("starts");
        this.auditor = chance.split("auditor");
        this.impostor = auditor.percent(WORLDS_WITH_AN_IMPOSTOR);
    }

    void writeMistakenOrder() {
        switch (chance.below(13)) {
            case 0, 1 -> reuseOrderId();
            case 2, 3 -> withdrawOrder();
            case 4 -> orderForEarlierCampaign();
            case 5, 6 -> widenCampaign();
            case 9, 10 -> freezeInOrdersTable();
            case 7 -> removePausedCampaign();
            case 8 -> tightenPolicy();
            case 11 -> approveInOrdersTable();
            case 12 -> freezeAsAuditor();
            default -> annotateQuarantinedMachine();
        }
        if (impostor && auditor.percent(50)) {
            operatorTableWriter.unfreezeAsAuditor(
                    auditor.percent(50)
                            ? new OperatorOrderKey.FreezeFleet()
                            : new OperatorOrderKey.FreezeSite(auditor.pick(sites())));
            scheduler.after(auditor.between(MINUTE, 10 * MINUTE), () -> operatorTableWriter.unfreeze(sites()));
        }
    }

    /** Pauses, resumes and sometimes aborts a campaign with one order id. */
    private void reuseOrderId() {
        forRandomCampaign((name, key) -> {
            operatorTableWriter.orderWithSameId(name, key, OperatorOrder.OrderVerb.RUN, "ticket");
            operatorTableWriter.orderWithSameId(
                    name,
                    key,
                    chance.percent(15) ? OperatorOrder.OrderVerb.ABORT : OperatorOrder.OrderVerb.PAUSE,
                    "ticket");
            scheduler.after(
                    chance.between(MINUTE, 10 * MINUTE),
                    () -> operatorTableWriter.orderWithSameId(name, key, OperatorOrder.OrderVerb.RUN, "ticket"));
        });
    }

    private void withdrawOrder() {
        List<RowKey> orders = operatorTableWriter.orders();
        if (!orders.isEmpty()) {
            operatorTableWriter.withdraw(chance.pick(orders));
        }
    }

    private void orderForEarlierCampaign() {
        forRandomCampaign((name, key) ->
                operatorTableWriter.orderForEarlierCampaign(name, key, chance.pick(STATES), "last week"));
    }

    /** Edits a campaign to select more than its approver has seen, or to need no approval any more. */
    private void widenCampaign() {
        if (!operatorTableWriter.campaigns().isEmpty()) {
            Campaign campaign =
                    chance.pick(new ArrayList<>(operatorTableWriter.campaigns().values()));
            operatorTableWriter.write(new Campaign(
                    campaign.name(),
                    campaign.labels(),
                    RandomCampaignEdits.widened(campaign.spec(), chance.percent(50))));
        }
    }

    /** Pauses a campaign, removes it, and writes it again under the same name. */
    private void removePausedCampaign() {
        forRandomCampaign((name, key) -> {
            Campaign campaign =
                    Objects.requireNonNull(operatorTableWriter.campaigns().get(name));
            operatorTableWriter.order(name, key, OperatorOrder.OrderVerb.PAUSE, "investigating");
            scheduler.after(chance.between(MINUTE, 10 * MINUTE), () -> {
                operatorTableWriter.remove(name);
                scheduler.after(chance.between(1000, 5 * MINUTE), () -> operatorTableWriter.write(campaign));
            });
        });
    }

    /** Makes the fleet's policy stricter for a while, also for campaigns that are running. */
    private void tightenPolicy() {
        UpgradePolicy before = operatorTableWriter.fleetPolicy();
        if (before != null) {
            UpgradePolicy.CampaignRule stricter = RandomPolicies.stricter(chance);
            operatorTableWriter.write(before.with(stricter));
            scheduler.after(chance.between(5 * MINUTE, 30 * MINUTE), () -> {
                UpgradePolicy now = operatorTableWriter.fleetPolicy();
                if (now != null && now.campaignRule().equals(stricter)) {
                    operatorTableWriter.write(now.with(before.campaignRule()));
                }
            });
        }
    }

    private void freezeInOrdersTable() {
        List<SiteId> sites = sites();
        OperatorOrderKey key = chance.percent(50)
                ? new OperatorOrderKey.FreezeFleet()
                : new OperatorOrderKey.FreezeSite(chance.pick(sites));
        operatorTableWriter.writeToOrdersTable(
                key,
                chance.percent(80) ? OperatorOrder.OrderVerb.FREEZE : OperatorOrder.OrderVerb.UNFREEZE,
                "as before");
        scheduler.after(chance.between(MINUTE, 15 * MINUTE), () -> operatorTableWriter.unfreeze(sites));
    }

    private void approveInOrdersTable() {
        forRandomCampaign((name, key) -> {
            CampaignStatus status = operatorTableWriter.status(name);
            if (status != null) {
                for (Wave wave : status.acceptedCampaign().spec().waves()) {
                    operatorTableWriter.writeToOrdersTable(
                            new OperatorOrderKey.ApproveWave(name, wave.name()),
                            OperatorOrder.OrderVerb.APPROVE,
                            "as before");
                }
                operatorTableWriter.writeToOrdersTable(
                        new OperatorOrderKey.ApproveOverlap(name), OperatorOrder.OrderVerb.APPROVE, "as before");
            }
        });
    }

    private void freezeAsAuditor() {
        operatorTableWriter.freezeAsAuditor();
        scheduler.after(chance.between(MINUTE, 15 * MINUTE), () -> operatorTableWriter.unfreeze(sites()));
    }

    private List<SiteId> sites() {
        return fleet.sites().stream().map(SimSite::id).toList();
    }

    /** Sometimes edits a campaign to allow fewer failures than it has had. */
    void lowerFailureBudget() {
        if (budgets.percent(40)) {
            return;
        }
        for (CampaignStatus campaign : operatorTableWriter.committed().all(CampaignStatus.class)) {
            RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
            long failed = operatorTableWriter.committed().all(MachineStatus.class).stream()
                    .flatMap(machine -> machine.entries().stream())
                    .filter(entry ->
                            entry.rolloutRef().equals(rolloutRef) && entry.outcome() == MachineOutcome.QUARANTINED)
                    .count();
            Campaign known = operatorTableWriter.campaigns().get(campaign.name());
            if (failed > 1 && known != null && campaign.state() == CampaignState.RUNNING) {
                operatorTableWriter.write(new Campaign(
                        known.name(),
                        known.labels(),
                        RandomCampaignEdits.withFailureBudget(known.spec(), Math.max(1, budgets.below((int) failed)))));
                return;
            }
        }
    }

    /** Edits the earlier campaign of an approved overlap after the approval. */
    void editEarlierOf(CampaignName later, int failures) {
        CampaignStatus status = operatorTableWriter.status(later);
        CampaignStatus earlier = status == null ? null : operatorTableWriter.earlierOverlapping(status);
        Campaign known =
                earlier == null ? null : operatorTableWriter.campaigns().get(earlier.name());
        if (known != null) {
            operatorTableWriter.write(new Campaign(
                    known.name(), known.labels(), RandomCampaignEdits.withFailureBudget(known.spec(), failures)));
        }
    }

    /** Sometimes postpones the start of a campaign that has begun. */
    void postponeStart() {
        List<Campaign> campaigns =
                new ArrayList<>(operatorTableWriter.campaigns().values());
        if (!campaigns.isEmpty() && starts.percent(10)) {
            Campaign campaign = starts.pick(campaigns);
            Instant deadline = campaign.spec().deadline();
            Instant start = Instant.ofEpochMilli(scheduler.now() + starts.between(MINUTE, 20 * MINUTE));
            if (deadline == null || start.isBefore(deadline)) {
                operatorTableWriter.write(new Campaign(
                        campaign.name(), campaign.labels(), RandomCampaignEdits.postponed(campaign.spec(), start)));
            }
        }
    }

    private void forRandomCampaign(BiConsumer<CampaignName, OperatorOrderKey> orders) {
        if (!operatorTableWriter.campaigns().isEmpty()) {
            CampaignName name =
                    chance.pick(new ArrayList<>(operatorTableWriter.campaigns().keySet()));
            orders.accept(name, new OperatorOrderKey.SetCampaignState(name));
        }
    }

    /** Opts a machine out during an upgrade while it has an entry of another rollout. */
    void optOutDuringUpgrade() {
        for (MachineStatus status : operatorTableWriter.committed().all(MachineStatus.class)) {
            UpgradeAttempt attempt = status.attempt();
            SimMachine machine = fleet.machine(status.key());
            if (attempt != null
                    && machine != null
                    && !machine.optOut()
                    && status.entries().stream()
                            .anyMatch(entry -> !entry.rolloutRef().equals(attempt.rolloutRef()))) {
                fleet.setOptOut(machine, true);
                return;
            }
        }
    }

    /** Retries a campaign's quarantined machines, or sets an intent on such a machine. */
    private void annotateQuarantinedMachine() {
        for (MachineStatus status : operatorTableWriter.committed().all(MachineStatus.class)) {
            for (RolloutEntry entry : status.entries()) {
                SimMachine machine = fleet.machine(status.key());
                if (machine != null
                        && entry.outcome() == MachineOutcome.QUARANTINED
                        && entry.rolloutRef() instanceof RolloutRef.CampaignRef campaign) {
                    if (chance.percent(50)) {
                        operatorTableWriter.order(
                                campaign.name(),
                                new OperatorOrderKey.RetryQuarantined(campaign.name()),
                                OperatorOrder.OrderVerb.RETRY,
                                "once more");
                    }
                    fleet.setIntent(machine, RandomUpgradeTargets.randomTarget(chance, machine));
                    return;
                }
            }
        }
    }
}
