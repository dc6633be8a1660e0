package dev.flotilla.cli.order;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.OperatorOrder;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla fleet freeze} and {@code unfreeze}. */
@Command(mixinStandardHelpOptions = true)
public final class FleetFreezeCommand implements Callable<Integer> {
    private final OperatorOrder.OrderVerb verb;
    private final Terminal terminal;

    @Mixin
    private OrderOptions options = new OrderOptions();

    private final FreezeLiftOption lifting = new FreezeLiftOption();

    private FleetFreezeCommand(OperatorOrder.OrderVerb verb, Terminal terminal) {
        this.verb = verb;
        this.terminal = terminal;
    }

    /** Adds both subcommands. */
    public static void addTo(CommandLine group, Terminal terminal) {
        add(
                group,
                OperatorOrder.OrderVerb.FREEZE,
                "Freezes the fleet: no machine starts, and attempts that have not called their node yet are cancelled.",
                terminal);
        add(
                group,
                OperatorOrder.OrderVerb.UNFREEZE,
                "Lifts an ordered freeze of the fleet. A freeze by the policy stays. To lift the auditor's, give its"
                        + " id with --unfreeze-id.",
                terminal);
    }

    private static void add(CommandLine group, OperatorOrder.OrderVerb verb, String summary, Terminal terminal) {
        FleetFreezeCommand freeze = new FleetFreezeCommand(verb, terminal);
        CommandLine command = new CommandLine(freeze);
        freeze.options.addOutputTo(command);
        if (verb == OperatorOrder.OrderVerb.UNFREEZE) {
            command.addMixin("lifting", freeze.lifting);
        }
        command.getCommandSpec().name(verb.label()).usageMessage().description(summary);
        if (verb == OperatorOrder.OrderVerb.UNFREEZE) {
            HelpExamples.set(
                    command,
                    "flotilla fleet unfreeze --reason 'the network is repaired'",
                    "flotilla fleet unfreeze --unfreeze-id auditor-7-1763985600000 --reason 'understood'");
        } else {
            HelpExamples.set(command, "flotilla fleet freeze --reason 'network failure in the north'");
        }
        group.addSubcommand(verb.label(), command);
    }

    @Override
    public Integer call() {
        List<String> problems = options.waitOption().problems();
        return problems.isEmpty()
                ? options.connection().run(terminal, this::submitOrder)
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private int submitOrder(FleetKafkaClient kafka) {
        kafka.sites();
        OperatorOrderKey key = new OperatorOrderKey.FreezeFleet();
        return verb == OperatorOrder.OrderVerb.FREEZE
                ? options.submitOrder(kafka, terminal, key, verb, null, "the fleet", "frozen")
                : lifting.unfreeze(options, kafka, terminal, key, "the fleet", "unfrozen");
    }
}
