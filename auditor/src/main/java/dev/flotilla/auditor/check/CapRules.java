package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.CampaignBook;
import dev.flotilla.auditor.model.Fleet;
import dev.flotilla.auditor.wire.Budget;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Limit;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.PolicyRow;
import dev.flotilla.auditor.wire.Spec;
import org.jspecify.annotations.Nullable;

/** Invariants 1 and 6: what is in flight, and what may fail, on the rows before the start. */
final class CapRules {
    private static final double ROUNDING = 1e-6;

    private final Fleet fleet;
    private final Findings findings;

    CapRules(Fleet fleet, Findings findings) {
        this.fleet = fleet;
        this.findings = findings;
    }

    void check(Start start) {
        MachineRow machine = start.machine();
        PolicyRow policy = fleet.policy("fleet");
        findings.require(policy != null, Invariant.GATES, machine.id() + " started without a fleet policy");
        if (policy != null) {
            cap(
                    start,
                    "the fleet",
                    fleet.flights().ofFleet(),
                    policy.inFlight(),
                    fleet.machines().size());
            PolicyRow own = fleet.policy(machine.site());
            Limit site = own != null && own.inFlight() != null ? own.inFlight() : policy.siteInFlight();
            cap(
                    start,
                    "site " + machine.site(),
                    fleet.flights().ofSite(machine.site()),
                    site,
                    fleet.machinesOfSite(machine.site()));
        }
        CampaignStatus campaign = start.campaign();
        CampaignBook book = campaign == null ? null : fleet.book(campaign);
        if (campaign != null && book != null) {
            cap(
                    start,
                    "campaign " + campaign.name(),
                    fleet.flights().of(start.attempt().driver()),
                    campaign.spec().inFlight(),
                    book.selected().size());
            cluster(start, campaign.spec().clusterInFlight());
            for (Spec.DomainCap cap : campaign.spec().domains()) {
                domain(start, cap, book);
            }
            budget(start, campaign, book);
        } else if (start.attempt().driver() instanceof Driver.OfIntent) {
            PolicyRow.IntentRule rule = fleet.intents(machine.site());
            cap(
                    start,
                    "annotations of site " + machine.site(),
                    fleet.flights().askedIn(machine.site()),
                    rule.inFlight(),
                    fleet.machinesOfSite(machine.site()));
            cluster(start, rule.clusterInFlight());
        }
    }

    private void cluster(Start start, @Nullable Limit most) {
        String cluster = start.machine().cluster();
        int machines = 0;
        int inFlight = fleet.members().departed(cluster, true).size()
                + fleet.members().departed(cluster, false).size();
        for (MachineRow other : fleet.machinesOf(cluster)) {
            machines++;
            inFlight += fleet.flights().contains(other.id()) ? 1 : 0;
        }
        cap(start, "cluster " + cluster, inFlight, most, machines);
    }

    private void domain(Start start, Spec.DomainCap cap, CampaignBook book) {
        String value = start.machine().labels().values().get(cap.label());
        if (value == null) {
            return;
        }
        int machines = 0;
        for (String id : book.selected()) {
            machines += isAlike(id, cap.label(), value) ? 1 : 0;
        }
        int inFlight = 0;
        for (String id : fleet.flights().machinesOf(start.attempt().driver())) {
            inFlight += isAlike(id, cap.label(), value) ? 1 : 0;
        }
        cap(start, cap.label() + " " + value, inFlight, cap.inFlight(), machines);
    }

    private boolean isAlike(String id, String label, String value) {
        MachineRow machine = fleet.machine(id);
        return machine != null && value.equals(machine.labels().values().get(label));
    }

    private void cap(Start start, String of, int inFlight, @Nullable Limit cap, int machines) {
        if (cap != null) {
            findings.require(
                    inFlight + 1 <= cap.of(machines),
                    Invariant.CAPS,
                    start.machine().id() + " started as number " + (inFlight + 1) + " in flight of " + of
                            + ", where the cap is " + cap.of(machines) + " (" + cap + " of " + machines + ")");
        }
    }

    /** The rest of a control plane that has begun is started whatever the budget says: it was kept for it. */
    private void budget(Start start, CampaignStatus campaign, CampaignBook book) {
        Budget budget = campaign.spec().budget();
        MachineRow machine = start.machine();
        if (budget == null
                || (machine.controlPlane()
                        && fleet.members()
                                .controlPlaneBegun(machine, start.attempt().driver()))) {
            return;
        }
        String id = machine.id();
        int most = budget.most().of(book.selected().size());
        int failed = book.failures(campaign);
        int alone = book.failed().contains(id) || book.flying().contains(id) ? 0 : 1;
        int flying = book.flying().size() + alone;
        int ended = failed + book.upgraded().size();
        double may = budget.confidence() == null || ended < budget.minSample()
                ? flying
                : flying * Wilson.upper(failed, ended, budget.confidence());
        findings.require(
                failed + may <= most + ROUNDING,
                Invariant.BUDGET,
                id + " started: " + failed + " machines of campaign " + campaign.name() + " have failed and " + may
                        + " may, the budget is " + most);
    }
}
