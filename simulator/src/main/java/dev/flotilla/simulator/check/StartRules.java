package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.DomainCap;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold of a start in the state it was decided on: caps, the cluster's rules, the budget. */
final class StartRules {
    private final Recount rows;
    private final Verdicts verdicts;
    private final Members members;
    private final BudgetRules budgets;
    private final CohortRules cohorts;

    StartRules(Recount rows, Verdicts verdicts, Members members) {
        this.rows = rows;
        this.verdicts = verdicts;
        this.members = members;
        this.budgets = new BudgetRules(rows, verdicts, members);
        this.cohorts = new CohortRules(rows, verdicts);
    }

    void check(MachineStatus started, Attempt attempt, MachineRow machine, Instant at) {
        CampaignStatus campaign = rows.campaign(attempt.driver());
        caps(started.key(), machine.clusterKey(), campaign, attempt.driver());
        cluster(machine, attempt, campaign);
        rows.admitted().admit(attempt, machine);
        rest(machine, at);
        if (campaign != null) {
            cohorts.check(started, machine, attempt.driver(), campaign);
            domains(machine, attempt.driver(), campaign);
        }
        if (campaign != null && campaign.accepted().spec().failureBudget() != null) {
            budgets.check(machine, attempt, campaign, campaign.accepted().spec().failureBudget());
        }
    }

    /** Looks at a decision before it is taken in. */
    void decided(Decision decision) {
        budgets.decided(decision);
    }

    /** Where all that was due is decided, no campaign runs on that has more failures than it bears. */
    void breached() {
        budgets.breached();
    }

    /**
     * Of the campaign's machines with one value of a label no more fly than it says, this one among them, wherever they are, and
     * those among them whose labels have gone with their rows. A percentage is of the machines that the leader has read.
     */
    private void domains(MachineRow started, Driver driver, CampaignStatus campaign) {
        for (DomainCap cap : campaign.accepted().spec().terms().domains()) {
            String value = started.labels().get(cap.label());
            int flying = 1 + gone(driver);
            int all = 0;
            for (MachineRow row : rows.machines()) {
                boolean alike = value != null && value.equals(row.labels().get(cap.label()));
                boolean read = !rows.isUnread(row.key().site());
                all += alike && read && members.selected(row, driver) ? 1 : 0;
                MachineStatus status = rows.status(row.key());
                boolean flies = rows.holdsSlot(status) && Recount.inFlight(status, driver);
                flying += alike && flies && !row.key().equals(started.key()) ? 1 : 0;
            }
            verdicts.require(
                    value == null || flying <= cap.inFlight().of(all),
                    Invariant.DOMAIN_CAP,
                    started.key() + " started as number " + flying + " of the machines of campaign " + campaign.name()
                            + " with " + cap.label() + " " + value + ", the cap is " + cap.inFlight() + " of " + all);
        }
    }

    /** Machines in flight that have no inventory row any more: each may be of any value of a label. */
    private int gone(Driver driver) {
        int gone = 0;
        for (MachineStatus status : rows.statuses()) {
            boolean flies = rows.holdsSlot(status) && Recount.inFlight(status, driver);
            gone += flies && rows.machine(status.key()) == null ? 1 : 0;
        }
        return gone;
    }

    private void rest(MachineRow machine, Instant at) {
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            MachineStatus status = rows.status(other.key());
            if (status != null) {
                for (Entry entry : status.entries()) {
                    verdicts.require(
                            entry.restUntil() == null || !at.isBefore(entry.restUntil()),
                            Invariant.SETTLE,
                            machine.key() + " started while its cluster rests until " + entry.restUntil());
                }
            }
        }
    }

    /** A success says how long its cluster rests: as long as its campaign asks for, if there was a call. */
    void settles(@Nullable MachineStatus before, MachineStatus now, Instant at) {
        for (Entry entry : now.entries()) {
            Entry known = Recount.entry(before, entry.driver());
            CampaignStatus campaign = rows.campaign(entry.driver());
            boolean asked = entry.driver() instanceof Driver.OfIntent;
            if ((campaign != null || asked)
                    && entry.outcome() == Outcome.SUCCEEDED
                    && known != null
                    && known.outcome() != Outcome.SUCCEEDED) {
                Duration settle = campaign == null
                        ? rows.intentRule(now.key().site()).settle()
                        : campaign.accepted().spec().terms().settle();
                verdicts.require(
                        Objects.equals(entry.restUntil(), settle.isZero() ? null : at.plus(settle)),
                        Invariant.SETTLE,
                        now.key() + " succeeded at " + at + " and its cluster rests until " + entry.restUntil()
                                + " instead of for " + settle);
            }
        }
    }

    private void caps(MachineKey key, ClusterKey cluster, @Nullable CampaignStatus campaign, Driver driver) {
        Set<MachineKey> fleet = new LinkedHashSet<>();
        Set<MachineKey> site = new LinkedHashSet<>();
        Set<MachineKey> inCluster = new LinkedHashSet<>();
        Set<MachineKey> ofCampaign = new LinkedHashSet<>();
        int machinesOfSite = 0;
        int machinesOfCluster = 0;
        int machines = 0;
        for (MachineRow row : rows.machines()) {
            machines++;
            machinesOfSite += row.key().site().equals(key.site()) ? 1 : 0;
            machinesOfCluster += row.clusterKey().equals(cluster) ? 1 : 0;
            if (rows.taken(row)) {
                fleet.add(row.key());
                if (row.clusterKey().equals(cluster)) {
                    inCluster.add(row.key());
                }
            }
        }
        for (MachineStatus status : rows.statuses()) {
            if (rows.holdsSlot(status)) {
                fleet.add(status.key());
                Attempt open = status.attempt();
                if (open != null && open.driver().equals(driver)) {
                    ofCampaign.add(status.key());
                }
            }
        }
        inCluster.addAll(rows.admitted().departed(cluster));
        for (MachineKey taken : fleet) {
            if (taken.site().equals(key.site())) {
                site.add(taken);
            }
        }
        Policy policy = rows.policy(Fleet.FLEET);
        if (policy == null) {
            verdicts.broken(Invariant.NO_POLICY, key + " started without a fleet policy");
            return;
        }
        cap(Invariant.FLEET_CAP, "the fleet", key, fleet, policy.inFlight(), machines);
        cap(Invariant.SITE_CAP, "site " + key.site(), key, site, siteCap(policy, key.site()), machinesOfSite);
        if (campaign != null) {
            CampaignSpec spec = campaign.accepted().spec();
            cap(
                    Invariant.CAMPAIGN_CAP,
                    "campaign " + campaign.name(),
                    key,
                    ofCampaign,
                    spec.inFlight(),
                    members.count(campaign));
            cap(Invariant.CLUSTER_CAP, "cluster " + cluster, key, inCluster, spec.clusterInFlight(), machinesOfCluster);
        } else {
            Policy.IntentRule rule = rows.intentRule(key.site());
            Set<MachineKey> asked = new LinkedHashSet<>();
            for (MachineStatus status : rows.statuses()) {
                Attempt open = status.attempt();
                if (Recount.inFlight(status)
                        && status.key().site().equals(key.site())
                        && open != null
                        && open.driver() instanceof Driver.OfIntent) {
                    asked.add(status.key());
                }
            }
            cap(Invariant.ANNOTATION_CAP, "annotations of " + key.site(), key, asked, rule.inFlight(), machinesOfSite);
            cap(Invariant.CLUSTER_CAP, "cluster " + cluster, key, inCluster, rule.clusterInFlight(), machinesOfCluster);
        }
    }

    private @Nullable Limit siteCap(Policy fleet, SiteId site) {
        Policy own = rows.policy(site);
        return own != null && own.inFlight() != null ? own.inFlight() : fleet.siteInFlight();
    }

    private void cap(
            Invariant invariant, String of, MachineKey key, Set<MachineKey> beside, @Nullable Limit cap, int machines) {
        if (cap != null && beside.size() + 1 > cap.of(machines)) {
            verdicts.broken(
                    invariant,
                    key + " started as number " + (beside.size() + 1) + " in flight of " + of + ", beside " + beside
                            + ", where the cap is " + cap.of(machines) + " (" + cap + " of " + machines + ")");
        }
    }

    private void cluster(MachineRow machine, Attempt attempt, @Nullable CampaignStatus campaign) {
        boolean first = campaign == null || campaign.accepted().spec().controlPlaneFirst();
        int controlPlanes = 0;
        int workers = 0;
        int away = 0;
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            boolean self = other.key().equals(machine.key());
            if (other.role() == Role.CONTROL_PLANE) {
                controlPlanes++;
                if (!self) {
                    besideControlPlane(machine, other, attempt, first);
                }
            } else {
                workers++;
                away += self || !other.ready() || rows.taken(other) ? 1 : 0;
            }
        }
        List<MachineKey> departed = rows.admitted().departed(machine.clusterKey(), Role.CONTROL_PLANE);
        verdicts.require(
                departed.isEmpty(),
                Invariant.ONE_AT_A_TIME,
                machine.key() + " started while control-plane machine " + departed
                        + " of its cluster is in flight, which has left the cluster's rows");
        away += rows.admitted().departed(machine.clusterKey(), Role.WORKER).size();
        if (campaign != null
                && campaign.accepted().spec().terms().strict()
                && !(machine.role() == Role.CONTROL_PLANE && members.controlPlaneBegun(machine, attempt.driver()))) {
            strict(machine, attempt.driver());
        }
        if (machine.role() == Role.CONTROL_PLANE) {
            var row = rows.cluster(machine.clusterKey());
            verdicts.require(
                    row != null && row.controlPlaneReplicas() == controlPlanes,
                    Invariant.REPLICAS,
                    machine.key() + " started though " + controlPlanes + " control-plane machines are known of " + row);
        } else {
            int allowed = members.maxUnavailable(machine.key().site(), campaign).of(workers);
            verdicts.require(
                    away <= allowed,
                    Invariant.WORKERS,
                    machine.key() + " started: with it " + away
                            + " workers of its cluster are unavailable or in flight, " + allowed + " may be");
        }
    }

    private void strict(MachineRow machine, Driver driver) {
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            Entry entry = Recount.entry(rows.status(other.key()), driver);
            verdicts.require(
                    entry == null || entry.outcome() != Outcome.QUARANTINED || !members.selected(other, driver),
                    Invariant.STRICT,
                    machine.key() + " started in a cluster of which " + other.key() + " was given up on");
        }
    }

    private void besideControlPlane(MachineRow machine, MachineRow other, Attempt attempt, boolean first) {
        verdicts.require(
                !rows.taken(other),
                Invariant.ONE_AT_A_TIME,
                machine.key() + " started while control-plane machine " + other.key() + " is in flight");
        if (machine.role() == Role.CONTROL_PLANE) {
            Entry entry = Recount.entry(rows.status(other.key()), attempt.driver());
            verdicts.require(
                    entry == null || entry.outcome() != Outcome.QUARANTINED || other.optOut(),
                    Invariant.QUARANTINED_MEMBER,
                    machine.key() + " started in a control plane of which " + other.key() + " was given up on");
            verdicts.require(
                    other.ready(),
                    Invariant.CONTROL_PLANE,
                    machine.key() + " started while control-plane machine " + other.key() + " is not ready");
        } else if (first) {
            verdicts.require(
                    members.isDone(other, attempt.driver()),
                    Invariant.ORDER,
                    "worker " + machine.key() + " started before control-plane machine " + other.key());
        }
    }
}
