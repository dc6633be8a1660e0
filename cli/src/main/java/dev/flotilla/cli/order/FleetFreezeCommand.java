package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.Order;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla fleet freeze} and {@code unfreeze}. */
@Command(mixinStandardHelpOptions = true)
public final class FleetFreezeCommand implements Callable<Integer> {
    private final Order.Verb verb;
    private final Terminal terminal;

    @Mixin
    private OrderOptions options = new OrderOptions();

    private FleetFreezeCommand(Order.Verb verb, Terminal terminal) {
        this.verb = verb;
        this.terminal = terminal;
    }

    /** Both of them. */
    public static void addTo(CommandLine group, Terminal terminal) {
        add(group, Order.Verb.FREEZE, "Starts nothing anywhere, and takes back what has not called yet.", terminal);
        add(
                group,
                Order.Verb.UNFREEZE,
                "Lifts an ordered freeze of the fleet. A freeze by the policy stays.",
                terminal);
    }

    private static void add(CommandLine group, Order.Verb verb, String summary, Terminal terminal) {
        CommandLine command = new CommandLine(new FleetFreezeCommand(verb, terminal));
        command.getCommandSpec().name(verb.label()).usageMessage().description(summary);
        Examples.set(command, "flotilla fleet " + verb.label() + " --why 'network trouble in the north'");
        group.addSubcommand(verb.label(), command);
    }

    @Override
    public Integer call() {
        List<String> problems = options.waiting().problems();
        return problems.isEmpty()
                ? options.connection().run(terminal, this::give)
                : options.connection().wrong(terminal, problems);
    }

    private int give(FleetKafka kafka) {
        kafka.sites();
        String done = verb == Order.Verb.FREEZE ? "frozen" : "no longer frozen by order";
        return options.give(kafka, terminal, new OrderKey.FleetFreeze(), verb, null, "the fleet", done);
    }
}
