package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A simulated operator, determined by a seed: writes policies and campaigns, and changes them. */
public final class RandomOperator {
    /** The percentage of worlds with several providers in which a policy forgets them. */
    private static final int POLICIES_WITHOUT_PROVIDERS = 40;

    private static final int MINUTE = 60_000;

    /**
     * The percentage of worlds in which three campaigns of one priority and different weights want the same machines.
     */
    private static final int WORLDS_WITH_COMPETING_CAMPAIGNS = 8;

    /** The percentage of campaigns that require the approval that the policy requires, if it does when they are written. */
    private static final int CAMPAIGNS_THAT_CONFORM = 75;

    private static final List<Integer> WEIGHTS = List.of(1, 20, 400);

    private final SeededRandom chance;
    private final SimFleet fleet;
    private final OperatorTableWriter operatorTableWriter;
    private final VirtualClockScheduler scheduler;
    private final FaultRateSchedule faults;
    private final ObjectFaults objectFaults;
    private final OwnerFaults ownerFaults;
    private final SeededRandom owners;
    private final SeededRandom editions;
    private final SeededRandom overlaps;
    private final SeededRandom secondThoughts;
    private final SeededRandom optOuts;
    private final LocalFileWorld localFileWorld;
    private final SeededRandom paperwork;
    private final MistakenOrderWriter mistakenOrderWriter;
    private final int busyness;
    private final Consumer<SiteId> resync;

    /**
     * Creates an operator.
     *
     * @param newNode creates the node of a machine that replaces another
     * @param resync lets a site's watcher publish everything again
     * @param busyness the approximate number of changes per hour
     */
    public RandomOperator(
            SeededRandom chance,
            SimFleet fleet,
            OperatorTableWriter operatorTableWriter,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Function<String, SimNode> newNode,
            Consumer<SiteId> resync,
            int busyness) {
        this.chance = chance;
        this.fleet = fleet;
        this.operatorTableWriter = operatorTableWriter;
        this.scheduler = scheduler;
        this.faults = faults;
        this.resync = resync;
        this.busyness = busyness;
        this.owners = chance.split("owners");
        this.editions = chance.split("editions");
        this.overlaps = chance.split("overlaps");
        this.secondThoughts = chance.split("second-thoughts");
        this.optOuts = chance.split("opt-outs");
        this.paperwork = chance.split("paperwork");
        this.localFileWorld = new LocalFileWorld(chance.split("local files"));
        this.mistakenOrderWriter = new MistakenOrderWriter(paperwork, fleet, operatorTableWriter, scheduler);
        this.ownerFaults = new OwnerFaults(chance.split("owner-mischief"), fleet, scheduler, newNode);
        this.objectFaults = new ObjectFaults(chance.split("mischief"), fleet, operatorTableWriter, scheduler, newNode);
    }

    /** Schedules all changes. */
    public void begin() {
        int machines = fleet.machines().size();
        scheduler.after(
                chance.between(0, 30_000),
                () -> operatorTableWriter.write(localFileWorld.firstPolicy(
                        RandomPolicies.fleet(chance, machines).withProviderRules(ProviderRules.of(fleet)))));
        forbidFiles();
        forgetProviderRules(chance.split("provider rules"));
        for (SimMachine machine : fleet.machines().subList(0, Math.min(1, machines))) {
            if (chance.percent(30)) {
                SiteId site = machine.key().site();
                scheduler.after(
                        chance.between(0, 10 * MINUTE),
                        () -> operatorTableWriter.write(RandomPolicies.ofScope(chance, site, machines)));
            }
        }
        int drawn = 1 + chance.below(3);
        boolean rivals = chance.split("rivals").percent(WORLDS_WITH_COMPETING_CAMPAIGNS);
        int campaigns = rivals ? 3 : drawn;
        for (int i = 1; i <= campaigns; i++) {
            CampaignName name = new CampaignName("c" + i);
            long delay = i == 1 ? chance.between(5000, 60_000) : chance.between(5000, 40 * MINUTE);
            if (rivals) {
                int weight = WEIGHTS.get(i - 1);
                scheduler.after(
                        delay / 10, () -> operatorTableWriter.write(RandomCampaigns.competingCampaign(name, weight)));
            } else {
                scheduler.after(
                        delay,
                        () -> operatorTableWriter.write(
                                conforming(first(name, RandomCampaigns.random(chance, name, fleet, scheduler.now())))));
            }
            if (overlaps.percent(70)) {
                scheduler.after(delay + MINUTE, () -> approveOverlap(name));
            }
        }
        scheduleNext();
    }

    private Campaign first(CampaignName name, Campaign campaign) {
        return name.name().equals("c1") ? localFileWorld.firstCampaign(campaign) : campaign;
    }

    private void forbidFiles() {
        if (localFileWorld.isDrawn()) {
            scheduler.after(localFileWorld.forbiddenFrom(), () -> allowFilesBelow(List.of()));
            scheduler.after(localFileWorld.forbiddenUntil(), () -> allowFilesBelow(List.of(RandomPolicies.SNAPS)));
        }
    }

    private void allowFilesBelow(List<String> directories) {
        UpgradePolicy policy = operatorTableWriter.fleetPolicy();
        if (policy != null && faults.isActive()) {
            operatorTableWriter.write(LocalFileWorld.allowing(policy, directories));
        }
    }

    /** For a while the fleet's policy has no rules about providers: what the watchers have found counts. */
    private void forgetProviderRules(SeededRandom when) {
        if (!ProviderRules.isNeeded(fleet) || !when.percent(POLICIES_WITHOUT_PROVIDERS)) {
            return;
        }
        long from = when.between(2 * MINUTE, 60 * MINUTE);
        scheduler.after(from, () -> writeProviderRules(List.of()));
        scheduler.after(from + when.between(MINUTE, 20 * MINUTE), () -> writeProviderRules(ProviderRules.of(fleet)));
    }

    private void writeProviderRules(List<ProviderRule> rules) {
        UpgradePolicy policy = operatorTableWriter.fleetPolicy();
        if (policy != null && faults.isActive()) {
            operatorTableWriter.write(policy.withProviderRules(rules));
        }
    }

    /** The campaign with an approval after its first wave, if the operator knows that the policy requires one. */
    private Campaign conforming(Campaign campaign) {
        UpgradePolicy policy = operatorTableWriter.fleetPolicy();
        if (policy == null
                || policy.campaignRule().requireApproval() != UpgradePolicy.RequiredApproval.AFTER_FIRST_WAVE
                || !chance.split("reads the policy for " + campaign.name()).percent(CAMPAIGNS_THAT_CONFORM)) {
            return campaign;
        }
        return new Campaign(
                campaign.name(),
                campaign.labels(),
                CampaignSpecBuilder.from(campaign.spec())
                        .waves(RandomPercentWaves.withApprovalAfterFirst(
                                campaign.spec().waves()))
                        .build());
    }

    private void scheduleNext() {
        long gap = 60L * MINUTE / Math.max(1, busyness);
        scheduler.after(chance.between(gap / 4, gap * 2), () -> {
            if (faults.isActive()) {
                makeRandomChange();
                scheduleNext();
            }
        });
    }

    private void makeRandomChange() {
        switch (chance.below(20)) {
            case 0, 1 -> changePolicy();
            case 2 -> freezeFleetOrSite();
            case 3, 4, 5 -> orderAboutCampaign();
            case 6 -> editCampaign();
            case 7 -> removeCampaign();
            case 8 -> {
                if (chance.percent(50)) {
                    objectFaults.writeUnreadableRecord();
                } else {
                    objectFaults.writeUnreadableInventory(resync);
                }
            }
            case 9, 10 -> objectFaults.injectClusterFault();
            case 11 -> objectFaults.duplicateNode();
            case 12 -> orderAboutSite();
            default -> objectFaults.injectMachineFault();
        }
        if (overlaps.percent(15)) {
            operatorTableWriter.campaigns().keySet().stream()
                    .skip(overlaps.below(3))
                    .findFirst()
                    .ifPresent(this::approveOverlap);
        }
        mistakenOrderWriter.lowerFailureBudget();
        mistakenOrderWriter.postponeStart();
        if (optOuts.percent(10)) {
            mistakenOrderWriter.optOutDuringUpgrade();
        }
        if (paperwork.percent(30)) {
            mistakenOrderWriter.writeMistakenOrder();
        }
        if (owners.percent(25)) {
            ownerFaults.injectOwnerFault();
        }
        if (chance.perMille(15)) {
            objectFaults.removeManyMachines();
        }
    }

    private void approveOverlap(CampaignName name) {
        operatorTableWriter.order(
                name,
                new OperatorOrderKey.ApproveOverlap(name),
                OperatorOrder.OrderVerb.APPROVE,
                "the overlap is intended");
        if (secondThoughts.percent(50)) {
            int failures = secondThoughts.between(1, 30);
            scheduler.after(
                    secondThoughts.between(1000, 10 * MINUTE), () -> mistakenOrderWriter.editEarlierOf(name, failures));
        }
    }

    private void changePolicy() {
        if (operatorTableWriter.policies().isEmpty()) {
            return;
        }
        UpgradePolicy policy =
                chance.pick(new ArrayList<>(operatorTableWriter.policies().values()));
        operatorTableWriter.write(
                chance.percent(30)
                        ? RandomPolicies.frozen(policy, !policy.frozen())
                        : RandomPolicies.capped(
                                policy,
                                RandomPolicies.cap(chance, fleet.machines().size() + 1)));
    }

    private void freezeFleetOrSite() {
        if (chance.percent(50)) {
            operatorTableWriter.order(
                    new OperatorOrderKey.FreezeFleet(),
                    chance.percent(60) ? OperatorOrder.OrderVerb.FREEZE : OperatorOrder.OrderVerb.UNFREEZE,
                    "drill");
            scheduler.after(chance.between(MINUTE, 15 * MINUTE), () -> operatorTableWriter.unfreeze(sites()));
        } else {
            SiteId site = chance.pick(sites());
            operatorTableWriter.order(
                    new OperatorOrderKey.FreezeSite(site), OperatorOrder.OrderVerb.FREEZE, "maintenance of the site");
            scheduler.after(chance.between(MINUTE, 20 * MINUTE), () -> operatorTableWriter.unfreeze(sites()));
        }
    }

    private List<SiteId> sites() {
        List<SiteId> sites = new ArrayList<>();
        fleet.sites().forEach(site -> sites.add(site.id()));
        return sites;
    }

    private void orderAboutCampaign() {
        if (operatorTableWriter.campaigns().isEmpty()) {
            return;
        }
        Campaign campaign =
                chance.pick(new ArrayList<>(operatorTableWriter.campaigns().values()));
        CampaignName name = campaign.name();
        List<SimMachine> machines = fleet.machines();
        switch (chance.below(10)) {
            case 0, 1, 2 -> {
                operatorTableWriter.order(
                        name,
                        new OperatorOrderKey.SetCampaignState(name),
                        OperatorOrder.OrderVerb.PAUSE,
                        "investigating");
                scheduler.after(
                        chance.between(MINUTE, 20 * MINUTE),
                        () -> operatorTableWriter.order(
                                name,
                                new OperatorOrderKey.SetCampaignState(name),
                                OperatorOrder.OrderVerb.RUN,
                                "go on"));
            }
            case 3 ->
                operatorTableWriter.order(
                        name, new OperatorOrderKey.SetCampaignState(name), OperatorOrder.OrderVerb.RUN, "resume");
            case 4 -> {
                if (chance.percent(30)) {
                    operatorTableWriter.order(
                            name,
                            new OperatorOrderKey.SetCampaignState(name),
                            OperatorOrder.OrderVerb.ABORT,
                            "not today");
                }
            }
            case 5, 6 -> {
                Wave wave = chance.pick(campaign.spec().waves());
                operatorTableWriter.order(
                        name,
                        new OperatorOrderKey.ApproveWave(name, wave.name()),
                        OperatorOrder.OrderVerb.APPROVE,
                        "looks good");
            }
            case 7 -> {
                if (!machines.isEmpty()) {
                    operatorTableWriter.order(
                            name,
                            new OperatorOrderKey.SkipMachine(
                                    name, chance.pick(machines).key()),
                            OperatorOrder.OrderVerb.SKIP,
                            "leave this machine");
                }
            }
            default ->
                operatorTableWriter.order(
                        name, new OperatorOrderKey.RetryQuarantined(name), OperatorOrder.OrderVerb.RETRY, "once more");
        }
    }

    private void orderAboutSite() {
        SiteId site = chance.pick(sites());
        if (chance.percent(25)) {
            operatorTableWriter.order(
                    new OperatorOrderKey.WriteOffSite(site),
                    OperatorOrder.OrderVerb.WRITE_OFF,
                    "the site will not return");
        } else {
            operatorTableWriter.order(
                    new OperatorOrderKey.AcceptMassRemoval(site),
                    OperatorOrder.OrderVerb.ACCEPT_REMOVAL,
                    "the machines are deleted");
        }
    }

    private void editCampaign() {
        if (!operatorTableWriter.campaigns().isEmpty()) {
            Campaign campaign =
                    chance.pick(new ArrayList<>(operatorTableWriter.campaigns().values()));
            CampaignSpec other = RandomCampaigns.random(chance, campaign.name(), fleet, scheduler.now())
                    .spec();
            // One edit in five tries to change the target, which must be rejected.
            CampaignSpec spec = RandomCampaignEdits.withRandomContentHash(
                    chance.percent(20) ? other : RandomCampaignEdits.allButTarget(campaign.spec(), other),
                    editions,
                    campaign,
                    operatorTableWriter.status(campaign.name()));
            Campaign edited = new Campaign(campaign.name(), campaign.labels(), spec);
            operatorTableWriter.write(edited);
            if (!spec.target().option().equals(campaign.spec().target().option())) {
                scheduler.after(5 * MINUTE, () -> operatorTableWriter.write(campaign));
            }
        }
    }

    private void removeCampaign() {
        if (!operatorTableWriter.campaigns().isEmpty() && chance.percent(40)) {
            Campaign campaign =
                    chance.pick(new ArrayList<>(operatorTableWriter.campaigns().values()));
            operatorTableWriter.remove(campaign.name());
            if (chance.percent(50)) {
                scheduler.after(chance.between(1000, 20 * MINUTE), () -> operatorTableWriter.write(campaign));
            }
        }
    }
}
