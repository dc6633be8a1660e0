package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Somebody with a seed for a temper: writes policies and campaigns, and changes their mind. */
public final class Operator {
    private static final int MINUTE = 60_000;

    /** In so many worlds of a hundred three campaigns of one priority and of unequal weights are after the same machines. */
    private static final int WORLDS_OF_RIVALS = 8;

    private static final List<Integer> WEIGHTS = List.of(1, 20, 400);

    private final Chance chance;
    private final SimFleet fleet;
    private final Desk desk;
    private final Scheduler scheduler;
    private final Faults faults;
    private final Mischief mischief;
    private final OwnerMischief ownerMischief;
    private final Chance owners;
    private final Chance editions;
    private final Chance overlaps;
    private final Chance secondThoughts;
    private final Chance optOuts;
    private final Chance paperwork;
    private final Clerk clerk;
    private final int busyness;
    private final Consumer<SiteId> resync;

    /**
     * An operator.
     *
     * @param newNode makes a node for a machine that replaces another
     * @param resync lets a site's watcher publish everything again
     * @param busyness how many changes an hour, about
     */
    public Operator(
            Chance chance,
            SimFleet fleet,
            Desk desk,
            Scheduler scheduler,
            Faults faults,
            Function<String, SimNode> newNode,
            Consumer<SiteId> resync,
            int busyness) {
        this.chance = chance;
        this.fleet = fleet;
        this.desk = desk;
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
        this.clerk = new Clerk(paperwork, fleet, desk, scheduler);
        this.ownerMischief = new OwnerMischief(chance.split("owner-mischief"), fleet, scheduler, newNode);
        this.mischief = new Mischief(chance.split("mischief"), fleet, desk, scheduler, newNode);
    }

    /** Plans the whole of it. */
    public void begin() {
        int machines = fleet.machines().size();
        scheduler.after(chance.between(0, 30_000), () -> desk.write(Policies.fleet(chance, machines)));
        for (SimMachine machine : fleet.machines().subList(0, Math.min(1, machines))) {
            if (chance.percent(30)) {
                SiteId site = machine.key().site();
                scheduler.after(
                        chance.between(0, 10 * MINUTE), () -> desk.write(Policies.ofScope(chance, site, machines)));
            }
        }
        int drawn = 1 + chance.below(3);
        boolean rivals = chance.split("rivals").percent(WORLDS_OF_RIVALS);
        int campaigns = rivals ? 3 : drawn;
        for (int i = 1; i <= campaigns; i++) {
            CampaignName name = new CampaignName("c" + i);
            long delay = i == 1 ? chance.between(5000, 60_000) : chance.between(5000, 40 * MINUTE);
            if (rivals) {
                int weight = WEIGHTS.get(i - 1);
                scheduler.after(delay / 10, () -> desk.write(Campaigns.rival(name, weight)));
            } else {
                scheduler.after(delay, () -> desk.write(Campaigns.random(chance, name, fleet, scheduler.now())));
            }
            if (overlaps.percent(70)) {
                scheduler.after(delay + MINUTE, () -> approveOverlap(name));
            }
        }
        again();
    }

    private void again() {
        long gap = 60L * MINUTE / Math.max(1, busyness);
        scheduler.after(chance.between(gap / 4, gap * 2), () -> {
            if (faults.active()) {
                act();
                again();
            }
        });
    }

    private void act() {
        switch (chance.below(20)) {
            case 0, 1 -> changePolicy();
            case 2 -> freeze();
            case 3, 4, 5 -> orderAboutCampaign();
            case 6 -> edit();
            case 7 -> removeOrBringBack();
            case 8 -> {
                if (chance.percent(50)) {
                    mischief.poison();
                } else {
                    mischief.poisonInventory(resync);
                }
            }
            case 9, 10 -> mischief.toCluster();
            case 11 -> mischief.sharedNode();
            case 12 -> siteOrder();
            default -> mischief.toMachine();
        }
        if (overlaps.percent(15)) {
            desk.campaigns().keySet().stream()
                    .skip(overlaps.below(3))
                    .findFirst()
                    .ifPresent(this::approveOverlap);
        }
        clerk.bearLess();
        clerk.postpone();
        if (optOuts.percent(10)) {
            clerk.optOutBetweenTwo();
        }
        if (paperwork.percent(30)) {
            clerk.act();
        }
        if (owners.percent(25)) {
            ownerMischief.toOwner();
        }
        if (chance.perMille(15)) {
            mischief.massRemoval();
        }
    }

    private void approveOverlap(CampaignName name) {
        desk.order(name, new OperatorOrderKey.ApproveOverlap(name), OperatorOrder.OrderVerb.APPROVE, "that is as I mean it");
        if (secondThoughts.percent(50)) {
            int failures = secondThoughts.between(1, 30);
            scheduler.after(secondThoughts.between(1000, 10 * MINUTE), () -> clerk.editEarlierOf(name, failures));
        }
    }

    private void changePolicy() {
        if (desk.policies().isEmpty()) {
            return;
        }
        UpgradePolicy policy = chance.pick(new ArrayList<>(desk.policies().values()));
        desk.write(
                chance.percent(30)
                        ? Policies.frozen(policy, !policy.frozen())
                        : Policies.capped(
                                policy, Policies.cap(chance, fleet.machines().size() + 1)));
    }

    private void freeze() {
        if (chance.percent(50)) {
            desk.order(
                    new OperatorOrderKey.FreezeFleet(), chance.percent(60) ? OperatorOrder.OrderVerb.FREEZE : OperatorOrder.OrderVerb.UNFREEZE, "drill");
            scheduler.after(chance.between(MINUTE, 15 * MINUTE), () -> desk.unfreeze(sites()));
        } else {
            SiteId site = chance.pick(sites());
            desk.order(new OperatorOrderKey.FreezeSite(site), OperatorOrder.OrderVerb.FREEZE, "works on the site");
            scheduler.after(chance.between(MINUTE, 20 * MINUTE), () -> desk.unfreeze(sites()));
        }
    }

    private List<SiteId> sites() {
        List<SiteId> sites = new ArrayList<>();
        fleet.sites().forEach(site -> sites.add(site.id()));
        return sites;
    }

    private void orderAboutCampaign() {
        if (desk.campaigns().isEmpty()) {
            return;
        }
        Campaign campaign = chance.pick(new ArrayList<>(desk.campaigns().values()));
        CampaignName name = campaign.name();
        List<SimMachine> machines = fleet.machines();
        switch (chance.below(10)) {
            case 0, 1, 2 -> {
                desk.order(name, new OperatorOrderKey.SetCampaignState(name), OperatorOrder.OrderVerb.PAUSE, "let me look");
                scheduler.after(
                        chance.between(MINUTE, 20 * MINUTE),
                        () -> desk.order(name, new OperatorOrderKey.SetCampaignState(name), OperatorOrder.OrderVerb.RUN, "go on"));
            }
            case 3 -> desk.order(name, new OperatorOrderKey.SetCampaignState(name), OperatorOrder.OrderVerb.RUN, "just go");
            case 4 -> {
                if (chance.percent(30)) {
                    desk.order(name, new OperatorOrderKey.SetCampaignState(name), OperatorOrder.OrderVerb.ABORT, "not today");
                }
            }
            case 5, 6 -> {
                Wave wave = chance.pick(campaign.spec().waves());
                desk.order(name, new OperatorOrderKey.ApproveWave(name, wave.name()), OperatorOrder.OrderVerb.APPROVE, "looks good");
            }
            case 7 -> {
                if (!machines.isEmpty()) {
                    desk.order(
                            name,
                            new OperatorOrderKey.SkipMachine(name, chance.pick(machines).key()),
                            OperatorOrder.OrderVerb.SKIP,
                            "leave that one");
                }
            }
            default -> desk.order(name, new OperatorOrderKey.RetryQuarantined(name), OperatorOrder.OrderVerb.RETRY, "once more");
        }
    }

    private void siteOrder() {
        SiteId site = chance.pick(sites());
        if (chance.percent(25)) {
            desk.order(new OperatorOrderKey.WriteOffSite(site), OperatorOrder.OrderVerb.WRITE_OFF, "will not come back");
        } else {
            desk.order(new OperatorOrderKey.AcceptMassRemoval(site), OperatorOrder.OrderVerb.ACCEPT_REMOVAL, "they are gone");
        }
    }

    private void edit() {
        if (!desk.campaigns().isEmpty()) {
            Campaign campaign = chance.pick(new ArrayList<>(desk.campaigns().values()));
            CampaignSpec other = Campaigns.random(chance, campaign.name(), fleet, scheduler.now())
                    .spec();
            // One edit in five tries to change the target, which has to be refused.
            CampaignSpec spec = Edits.basedOn(
                    chance.percent(20) ? other : Edits.allButTarget(campaign.spec(), other),
                    editions,
                    campaign,
                    desk.status(campaign.name()));
            Campaign edited = new Campaign(campaign.name(), campaign.labels(), spec);
            desk.write(edited);
            if (!spec.target().equals(campaign.spec().target())) {
                scheduler.after(5 * MINUTE, () -> desk.write(campaign));
            }
        }
    }

    private void removeOrBringBack() {
        if (!desk.campaigns().isEmpty() && chance.percent(40)) {
            Campaign campaign = chance.pick(new ArrayList<>(desk.campaigns().values()));
            desk.remove(campaign.name());
            if (chance.percent(50)) {
                scheduler.after(chance.between(1000, 20 * MINUTE), () -> desk.write(campaign));
            }
        }
    }
}
