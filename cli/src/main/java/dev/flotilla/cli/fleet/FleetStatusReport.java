package dev.flotilla.cli.fleet;

import dev.flotilla.cli.kafka.SiteHealth;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.explain.RejectedChangeCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Status of the fleet at one instant.
 *
 * @param orchestrators the leader and its standbys
 * @param cap the fleet's cap, in machines; null for none
 * @param siteProblems what is wrong with sites, each with the name of its site
 * @param freezes what freezes the fleet and single sites
 * @param rejected unreadable records, and records in whose place no row is in force
 * @param rejectedChanges changes that were rejected; the row accepted before is in force
 * @param openTransactions inputs that are blocked by an open transaction of another producer
 * @param states number of machines by state, each by its current rollout
 * @param campaigns progress of each campaign
 * @param gates number of waiting machines, by the first closed gate
 */
record FleetStatusReport(
        FleetHead head,
        LeaderGroup orchestrators,
        int machines,
        int inFlight,
        @Nullable Integer cap,
        FreezeSummary freezes,
        List<String> siteProblems,
        int sites,
        int rejected,
        int rejectedChanges,
        List<OpenTransaction> openTransactions,
        Map<String, Integer> states,
        List<Progress> campaigns,
        Map<String, Integer> gates) {

    /** Progress of a campaign, also of machines whose current rollout is another one. */
    private record Progress(String campaign, String state, int machines, int atTarget, int inFlight, int remaining) {
        static Progress of(CampaignRollout campaign) {
            return new Progress(
                    campaign.name().name(),
                    campaign.status().state().label(),
                    campaign.total(),
                    campaign.waves().stream().mapToInt(WaveProgress::atTarget).sum(),
                    campaign.inFlight(),
                    campaign.remaining());
        }

        String[] cells() {
            return new String[] {
                campaign,
                state,
                Integer.toString(atTarget),
                Integer.toString(inFlight),
                Integer.toString(remaining),
                Integer.toString(machines)
            };
        }

        JsonObjectReader json() {
            return new JsonObjectReader.Builder()
                    .put("name", campaign)
                    .put("state", state)
                    .put("machines", machines)
                    .put("atTarget", atTarget)
                    .put("inFlight", inFlight)
                    .put("remaining", remaining)
                    .build();
        }
    }

    static FleetStatusReport of(
            TableSnapshot tables, LeaderGroup orchestrators, List<OpenTransaction> openTransactions) {
        GateChain gates = GateChain.standard();
        Instant now = tables.now();
        FleetState state = tables.recountedState(now);
        Map<String, Integer> states = new TreeMap<>();
        Map<String, Integer> waiting = new TreeMap<>();
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                MachineSummary machineSummary = MachineExplainer.summarizeMachine(state, gates, machine, now);
                states.merge(machineSummary.state(), 1, Integer::sum);
                if (machineSummary.gate() != null) {
                    waiting.merge(machineSummary.gate().label(), 1, Integer::sum);
                }
            }
        }
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        return new FleetStatusReport(
                tables.head(),
                orchestrators,
                state.machines(),
                state.inFlight(),
                policy == null || policy.maxInFlight() == null
                        ? null
                        : policy.maxInFlight().of(state.machines()),
                FreezeSummary.of(state),
                findSiteProblems(state, tables),
                state.sites().size(),
                state.rejected().size() - RejectedChangeCounter.countRejectedChanges(state),
                RejectedChangeCounter.countRejectedChanges(state),
                openTransactions,
                states,
                state.campaigns().values().stream().map(Progress::of).toList(),
                waiting);
    }

    private static List<String> findSiteProblems(FleetState state, TableSnapshot tables) {
        return state.sites().stream()
                .flatMap(site -> SiteHealth.of(site.id(), state, tables).problems().stream()
                        .map(problem -> "site " + site.id().name() + ": " + problem))
                .toList();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                head.term() == 0
                        ? "no orchestrator has been leader yet"
                        : "decided up to " + head.seq() + " at " + head.decidedAt() + ", in term " + head.term()
                                + (head.clockInSync()
                                        ? ""
                                        : "; the leader's clock differs from the broker's, so" + " nothing starts"));
        lines.add(orchestrators.line());
        lines.add(machines + " machines in " + sites + " sites, " + inFlight + " in flight"
                + (cap == null ? "" : " of at most " + cap)
                + (rejected == 0
                        ? ""
                        : ", " + rejected + (rejected == 1 ? " record is" : " records are")
                                + " rejected (see `flotilla rejected list`)")
                + (rejectedChanges == 0
                        ? ""
                        : ", " + rejectedChanges + (rejectedChanges == 1 ? " change was" : " changes were")
                                + " rejected; the rows accepted before are in force (see `flotilla rejected list`)"));
        lines.addAll(siteProblems);
        lines.addAll(freezes.lines());
        openTransactions.forEach(open -> lines.add("input blocked: " + open.describeTransaction()));
        if (!states.isEmpty()) {
            TextTable table = new TextTable("STATE", "MACHINES");
            states.forEach((name, count) -> table.row(name, count.toString()));
            lines.addAll(table.lines());
        }
        if (!campaigns.isEmpty()) {
            TextTable table = new TextTable("CAMPAIGN", "STATE", "DONE", "IN FLIGHT", "REMAINING", "MACHINES");
            campaigns.forEach(campaign -> table.row(campaign.cells()));
            lines.addAll(table.lines());
        }
        if (!gates.isEmpty()) {
            TextTable table = new TextTable("BLOCKED AT", "MACHINES");
            gates.forEach((name, count) -> table.row(name, count.toString()));
            lines.addAll(table.lines());
        }
        return lines;
    }

    JsonObjectReader json() {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("seq", head.seq())
                .put("term", head.term())
                .put("decidedAt", head.decidedAt().toString())
                .put("clockInSync", head.clockInSync())
                .put("sites", sites)
                .put("siteProblems", JsonFormatter.texts(siteProblems))
                .put("machines", machines)
                .put("inFlight", inFlight)
                .put("rejected", rejected)
                .put("rejectedChanges", rejectedChanges)
                .put(
                        "openTransactions",
                        JsonFormatter.list(openTransactions.stream()
                                .map(FleetStatusReport::json)
                                .toList()))
                .put("states", counts(states))
                .put(
                        "campaigns",
                        JsonFormatter.list(
                                campaigns.stream().map(Progress::json).toList()))
                .put("gates", counts(gates));
        orchestrators.addTo(json);
        freezes.addTo(json);
        if (cap != null) {
            json.put("cap", cap);
        }
        return json.build();
    }

    private static JsonObjectReader json(OpenTransaction open) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("topic", open.topic())
                .put("partition", open.partition().partition())
                .put("offset", open.firstOffset());
        if (open.transactionalId() != null) {
            json.put("transactionalId", open.transactionalId());
        }
        if (open.timesOutAt() != null) {
            json.put("timesOutAt", open.timesOutAt().toString());
        }
        return json.build();
    }

    private static JsonObjectReader counts(Map<String, Integer> counts) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        counts.forEach((name, count) -> json.put(name, count));
        return json.build();
    }
}
