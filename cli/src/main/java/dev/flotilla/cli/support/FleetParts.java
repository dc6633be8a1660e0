package dev.flotilla.cli.support;

import dev.flotilla.cli.campaign.CampaignGetCommand;
import dev.flotilla.cli.campaign.CampaignListCommand;
import dev.flotilla.cli.fleet.FleetStatusCommand;
import dev.flotilla.cli.journal.JournalTailCommand;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.machine.MachineGetCommand;
import dev.flotilla.cli.machine.MachineListCommand;
import dev.flotilla.cli.policy.PolicyListCommand;
import dev.flotilla.cli.rejected.RejectedListCommand;
import dev.flotilla.cli.site.SiteListCommand;
import dev.flotilla.cli.support.SupportBundle.ArchiveException;
import dev.flotilla.cli.support.SupportBundle.PartText;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;

/** The parts about the fleet: what the commands that show it print, as of one instant. */
final class FleetParts {
    /** The maximum number of machines with all their rows, and of campaigns. */
    static final int MOST_MACHINES = 100;

    private static final int MOST_CAMPAIGNS = 200;
    private static final String JSON = "--output=json";

    /** States of machines that need a person, the worst first. All others with an attempt follow them. */
    private static final List<String> TROUBLE = List.of("quarantined", "failed", "unknown");

    /** States of machines without an attempt. */
    private static final List<String> QUIET =
            List.of("not-targeted", "waiting", "skipped", "open", "succeeded", "unchanged");

    private final FleetKafkaClient kafka;
    private final SupportBundle bundle;

    FleetParts(FleetKafkaClient kafka, SupportBundle bundle) {
        this.kafka = kafka;
        this.bundle = bundle;
    }

    /**
     * Adds all parts.
     *
     * @param journalRecords the number of journal records, counted from the newest
     */
    void addAll(int journalRecords) throws ArchiveException {
        bundle.announce("tables of the fleet");
        addCommand("fleet/status.txt", "flotilla fleet status", FleetStatusCommand::of);
        addCommand("fleet/status.json", "the same as JSON", FleetStatusCommand::of, JSON);
        addCommand("fleet/sites.txt", "flotilla site list", SiteListCommand::of);
        bundle.add("fleet/heads.json", "head rows and heartbeats: how far the leader has decided", this::heads);
        addCommand("fleet/policies.json", "flotilla policy list", PolicyListCommand::of, JSON);
        addCommand("fleet/rejected.json", "flotilla rejected list", RejectedListCommand::of, JSON);
        addCommand("fleet/campaigns.txt", "flotilla campaign list", CampaignListCommand::of);
        addCampaigns();
        addCommand("fleet/machines.txt", "flotilla machine list", MachineListCommand::of);
        addMachines();
        bundle.announce("journal");
        bundle.add(
                "fleet/journal.json",
                "flotilla journal tail: the last " + journalRecords + " records",
                () -> run(JournalTailCommand::of, JSON, "--since=" + firstRecord(journalRecords)));
    }

    private long firstRecord(int records) {
        return Math.max(0, kafka.readAll().head().seq() - records + 1);
    }

    private void addCommand(String path, String content, Function<Terminal, CommandLine> command, String... arguments)
            throws ArchiveException {
        bundle.add(path, content, () -> run(command, arguments));
    }

    private PartText run(Function<Terminal, CommandLine> command, String... arguments) throws IOException {
        if (!kafka.isReachable()) {
            throw new IOException("no broker of " + kafka.brokers() + " accepts connections");
        }
        return CapturedCommand.run(kafka, command, arguments).toPart();
    }

    private PartText heads() {
        TableSnapshot tables = kafka.readAll();
        return PartText.of(new JsonObjectReader.Builder()
                .put("fleet", RowJson.toJson(tables.head()))
                .put(
                        "sites",
                        JsonFormatter.list(tables.siteHeads().values().stream()
                                .map(RowJson::toJson)
                                .toList()))
                .put(
                        "heartbeats",
                        JsonFormatter.list(tables.rows(WatcherHeartbeat.class).stream()
                                .map(RowJson::toJson)
                                .toList()))
                .build());
    }

    private void addCampaigns() throws ArchiveException {
        List<String> names = new ArrayList<>();
        bundle.add("fleet/campaigns.json", "flotilla campaign list, as JSON", () -> {
            PartText listed = run(CampaignListCommand::of, JSON);
            kafka.readAll().rows(CampaignStatus.class).stream()
                    .map(status -> status.name().name())
                    .sorted()
                    .forEach(names::add);
            return listed;
        });
        for (String name : names.subList(0, Math.min(names.size(), MOST_CAMPAIGNS))) {
            String file = "campaigns/" + SupportBundle.fileName(name);
            addCommand(file + ".txt", "flotilla campaign get " + name, CampaignGetCommand::of, name);
            addCommand(
                    file + ".json", "the same as JSON, with the accepted campaign", CampaignGetCommand::of, name, JSON);
        }
        if (names.size() > MOST_CAMPAIGNS) {
            bundle.addMissing(
                    "campaigns/",
                    "flotilla campaign get",
                    "only " + MOST_CAMPAIGNS + " of " + names.size() + " campaigns are included");
        }
    }

    private void addMachines() throws ArchiveException {
        List<String> machines = new ArrayList<>();
        bundle.add("fleet/trouble.txt", "machines that failed or are in flight, the worst first", () -> {
            machines.addAll(troubledMachines());
            return PartText.of(String.join("\n", machines) + "\n");
        });
        for (String machine : machines.subList(0, Math.min(machines.size(), MOST_MACHINES))) {
            addCommand(
                    "machines/" + SupportBundle.fileName(machine) + ".json",
                    "flotilla machine get " + machine,
                    MachineGetCommand::of,
                    machine,
                    JSON);
        }
        if (machines.size() > MOST_MACHINES) {
            bundle.addMissing(
                    "machines/",
                    "flotilla machine get",
                    "only " + MOST_MACHINES + " of " + machines.size() + " machines of fleet/trouble.txt are included");
        }
    }

    private record Troubled(String machine, String state) {
        int rank() {
            int rank = TROUBLE.indexOf(state);
            return rank < 0 ? TROUBLE.size() : rank;
        }
    }

    private List<String> troubledMachines() {
        TableSnapshot tables = kafka.readAll();
        Instant now = tables.now();
        FleetState state = tables.recountedState(now);
        List<Troubled> found = new ArrayList<>();
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                MachineSummary summary = MachineExplainer.summarizeMachine(state, GateChain.standard(), machine, now);
                if (!QUIET.contains(summary.state())) {
                    found.add(new Troubled(machine.key().toString(), summary.state()));
                }
            }
        }
        return found.stream()
                .sorted(Comparator.comparingInt(Troubled::rank).thenComparing(Troubled::machine))
                .map(Troubled::machine)
                .toList();
    }
}
