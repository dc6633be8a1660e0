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
 * Writes orders as people do who do not read how they are meant: one id for all, tombstones, the uid of last week's campaign, the
 * topic of an earlier version. And as an auditor does that is wrong.
 */
final class MistakenOrderWriter {
    private static final int MINUTE = 60_000;

    /** In so many worlds of a hundred somebody lifts freezes in the auditor's name. */
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
            case 0, 1 -> oneTicketForAll();
            case 2, 3 -> withdraw();
            case 4 -> lastWeeks();
            case 5, 6 -> widen();
            case 9, 10 -> freezeOnOrders();
            case 7 -> removePaused();
            case 8 -> restrict();
            case 11 -> approveOnOrders();
            case 12 -> auditorFreezes();
            default -> annotateWhatIsQuarantined();
        }
        if (impostor && auditor.percent(50)) {
            operatorTableWriter.auditorUnfreezes(
                    auditor.percent(50)
                            ? new OperatorOrderKey.FreezeFleet()
                            : new OperatorOrderKey.FreezeSite(auditor.pick(sites())));
            scheduler.after(auditor.between(MINUTE, 10 * MINUTE), () -> operatorTableWriter.unfreeze(sites()));
        }
    }

    /** Pauses, resumes and now and then aborts a campaign by one id. */
    private void oneTicketForAll() {
        withCampaign((name, key) -> {
            operatorTableWriter.orderAgain(name, key, OperatorOrder.OrderVerb.RUN, "ticket");
            operatorTableWriter.orderAgain(
                    name,
                    key,
                    chance.percent(15) ? OperatorOrder.OrderVerb.ABORT : OperatorOrder.OrderVerb.PAUSE,
                    "ticket");
            scheduler.after(
                    chance.between(MINUTE, 10 * MINUTE),
                    () -> operatorTableWriter.orderAgain(name, key, OperatorOrder.OrderVerb.RUN, "ticket"));
        });
    }

    private void withdraw() {
        List<RowKey> orders = operatorTableWriter.orders();
        if (!orders.isEmpty()) {
            operatorTableWriter.withdraw(chance.pick(orders));
        }
    }

    private void lastWeeks() {
        withCampaign((name, key) -> operatorTableWriter.orderAnEarlier(name, key, chance.pick(STATES), "last week"));
    }

    /** Edits a campaign to take more than whoever approved has seen, or to ask nobody any more. */
    private void widen() {
        if (!operatorTableWriter.campaigns().isEmpty()) {
            Campaign campaign =
                    chance.pick(new ArrayList<>(operatorTableWriter.campaigns().values()));
            operatorTableWriter.write(new Campaign(
                    campaign.name(),
                    campaign.labels(),
                    RandomCampaignEdits.widened(campaign.spec(), chance.percent(50))));
        }
    }

    /** Pauses a campaign, and has it begin anew under its name as who applies files again does. */
    private void removePaused() {
        withCampaign((name, key) -> {
            Campaign campaign =
                    Objects.requireNonNull(operatorTableWriter.campaigns().get(name));
            operatorTableWriter.order(name, key, OperatorOrder.OrderVerb.PAUSE, "let me look");
            scheduler.after(chance.between(MINUTE, 10 * MINUTE), () -> {
                operatorTableWriter.remove(name);
                scheduler.after(chance.between(1000, 5 * MINUTE), () -> operatorTableWriter.write(campaign));
            });
        });
    }

    /** Has the fleet's policy ask more of campaigns that run already, for a while. */
    private void restrict() {
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

    private void freezeOnOrders() {
        List<SiteId> sites = sites();
        OperatorOrderKey key = chance.percent(50)
                ? new OperatorOrderKey.FreezeFleet()
                : new OperatorOrderKey.FreezeSite(chance.pick(sites));
        operatorTableWriter.misplace(
                key, chance.percent(80) ? OperatorOrder.OrderVerb.FREEZE : OperatorOrder.OrderVerb.UNFREEZE, "as ever");
        scheduler.after(chance.between(MINUTE, 15 * MINUTE), () -> operatorTableWriter.unfreeze(sites));
    }

    private void approveOnOrders() {
        withCampaign((name, key) -> {
            CampaignStatus status = operatorTableWriter.status(name);
            if (status != null) {
                for (Wave wave : status.acceptedCampaign().spec().waves()) {
                    operatorTableWriter.misplace(
                            new OperatorOrderKey.ApproveWave(name, wave.name()),
                            OperatorOrder.OrderVerb.APPROVE,
                            "as ever");
                }
                operatorTableWriter.misplace(
                        new OperatorOrderKey.ApproveOverlap(name), OperatorOrder.OrderVerb.APPROVE, "as ever");
            }
        });
    }

    private void auditorFreezes() {
        operatorTableWriter.auditorFreezes();
        scheduler.after(chance.between(MINUTE, 15 * MINUTE), () -> operatorTableWriter.unfreeze(sites()));
    }

    private List<SiteId> sites() {
        return fleet.sites().stream().map(SimSite::id).toList();
    }

    /** Edits a campaign, now and then, to bear fewer failures than it has had. */
    void bearLess() {
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

    /** Edits what a campaign may run beside: it was let run beside another edition than that. */
    void editEarlierOf(CampaignName later, int failures) {
        CampaignStatus status = operatorTableWriter.status(later);
        CampaignStatus earlier = status == null ? null : operatorTableWriter.earlier(status);
        Campaign known =
                earlier == null ? null : operatorTableWriter.campaigns().get(earlier.name());
        if (known != null) {
            operatorTableWriter.write(new Campaign(
                    known.name(), known.labels(), RandomCampaignEdits.withFailureBudget(known.spec(), failures)));
        }
    }

    /** Has a campaign, now and then, that has begun begin later. */
    void postpone() {
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

    private void withCampaign(BiConsumer<CampaignName, OperatorOrderKey> orders) {
        if (!operatorTableWriter.campaigns().isEmpty()) {
            CampaignName name =
                    chance.pick(new ArrayList<>(operatorTableWriter.campaigns().keySet()));
            orders.accept(name, new OperatorOrderKey.SetCampaignState(name));
        }
    }

    /** Opts a machine out while it is upgraded, of which another campaign or intent knows something, too. */
    void optOutBetweenTwo() {
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

    /** Has a campaign try again, and brings a machine that it gives up later to a target by an annotation. */
    private void annotateWhatIsQuarantined() {
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
