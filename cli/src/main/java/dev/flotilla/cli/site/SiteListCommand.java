package dev.flotilla.cli.site;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.SiteHealth;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla site list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists sites with state, machines in flight, last heartbeat and problems.")
public final class SiteListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private SiteListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteListCommand(terminal));
        HelpExamples.set(command, "flotilla site list", "flotilla site list --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::list);
    }

    private record Item(
            String name,
            SiteHealth health,
            int machines,
            int inFlight,
            @Nullable String lastHeartbeat) {}

    private int list(FleetKafkaClient kafka) {
        SortedSet<SiteId> sites = kafka.sites();
        TableSnapshot tables = kafka.readAll();
        FleetState state = tables.recountedState(tables.now());
        List<Item> items = new ArrayList<>();
        for (SiteId id : sites) {
            SiteState site = state.site(id);
            Instant lastHeartbeat = tables.lastHeartbeat(id);
            items.add(new Item(
                    id.name(),
                    SiteHealth.of(id, state, tables),
                    site == null ? 0 : site.machines(),
                    site == null ? 0 : site.inFlight(),
                    lastHeartbeat == null ? null : lastHeartbeat.toString()));
        }
        output.print(
                terminal,
                () -> {
                    TextTable table =
                            new TextTable("SITE", "STATE", "MACHINES", "IN FLIGHT", "LAST HEARTBEAT", "PROBLEM");
                    items.forEach(item -> table.row(
                            item.name(),
                            item.health().state(),
                            Integer.toString(item.machines()),
                            Integer.toString(item.inFlight()),
                            item.lastHeartbeat() == null ? "never" : item.lastHeartbeat(),
                            String.join("; ", item.health().problems())));
                    return table.lines();
                },
                () -> new JsonObjectReader.Builder()
                        .put(
                                "sites",
                                JsonFormatter.list(items.stream()
                                        .map(item -> new JsonObjectReader.Builder()
                                                .put("site", item.name())
                                                .put("state", item.health().connection())
                                                .put("frozen", item.health().frozen())
                                                .put("machines", item.machines())
                                                .put("inFlight", item.inFlight())
                                                .put("lastHeartbeatAt", JsonFormatter.text(item.lastHeartbeat()))
                                                .put(
                                                        "problems",
                                                        JsonFormatter.texts(
                                                                item.health().problems()))
                                                .build())
                                        .toList()))
                        .build());
        return ExitCode.DONE;
    }
}
