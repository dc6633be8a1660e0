package dev.flotilla.cli.policy;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla policy list}. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the policies in force.")
public final class PolicyListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private PolicyListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new PolicyListCommand(terminal));
        HelpExamples.set(command, "flotilla policy list", "flotilla policy list --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::list);
    }

    private int list(FleetKafkaClient kafka) {
        TableSnapshot tables = kafka.read(Table.CAMPAIGN_STATUS, Table.POLICIES);
        List<UpgradePolicy> policies = tables.rows(LastAcceptedPolicy.class).stream()
                .map(LastAcceptedPolicy::policy)
                .sorted(Comparator.comparing(policy -> policy.scope().toString()))
                .toList();
        output.print(
                terminal,
                () -> {
                    TextTable table = new TextTable("SCOPE", "IN FLIGHT", "SITE IN FLIGHT", "FROZEN");
                    policies.forEach(policy -> table.row(
                            policy.scope().toString(),
                            text(policy.maxInFlight()),
                            text(policy.maxInFlightPerSite()),
                            policy.frozen() ? "yes: " + text(policy.frozenReason()) : "no"));
                    return table.lines();
                },
                () -> new JsonObjectReader.Builder()
                        .put(
                                "policies",
                                JsonFormatter.list(
                                        policies.stream().map(RowJson::toJson).toList()))
                        .build());
        tables.undecidedRows().stream()
                .filter(UpgradePolicy.class::isInstance)
                .forEach(policy -> terminal.note(connection.commandName() + ": the policy of "
                        + policy.rowKey().key() + " is written again, but no orchestrator has decided on it yet"));
        return ExitCode.DONE;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
