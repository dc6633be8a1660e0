package dev.flotilla.cli.order;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla site freeze}, {@code unfreeze}, {@code accept-removal}, {@code write-off} and {@code adopt}. */
@Command(mixinStandardHelpOptions = true)
public final class SiteOrderCommand implements Callable<Integer> {
    /** What a site can be ordered. */
    private enum Kind {
        FREEZE(
                OperatorOrder.OrderVerb.FREEZE,
                OperatorOrderKey.FreezeSite::new,
                "Starts nothing in a site, and takes back what has not called yet.",
                "frozen"),
        UNFREEZE(
                OperatorOrder.OrderVerb.UNFREEZE,
                OperatorOrderKey.FreezeSite::new,
                "Lifts an ordered freeze of a site. A freeze by its policy stays.",
                "no longer frozen by order"),
        ACCEPT_REMOVAL(
                OperatorOrder.OrderVerb.ACCEPT_REMOVAL,
                OperatorOrderKey.AcceptMassRemoval::new,
                "Confirms that the machines that vanished at once are really gone.",
                "removal accepted"),
        WRITE_OFF(
                OperatorOrder.OrderVerb.WRITE_OFF,
                OperatorOrderKey.WriteOffSite::new,
                "Ends the open attempts of a site that will not come back, as failed.",
                "written off"),
        ADOPT(
                OperatorOrder.OrderVerb.ADOPT,
                OperatorOrderKey.AdoptSiteTopics::new,
                "Reads a site's topics from their beginnings, after they were created again or lost records.",
                "adopted");

        private final OperatorOrder.OrderVerb verb;
        private final Function<SiteId, OperatorOrderKey> key;
        private final String summary;
        private final String done;

        Kind(OperatorOrder.OrderVerb verb, Function<SiteId, OperatorOrderKey> key, String summary, String done) {
            this.verb = verb;
            this.key = key;
            this.summary = summary;
            this.done = done;
        }
    }

    private final Kind kind;
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The site.")
    private String name = "";

    @Mixin
    private OrderOptions options = new OrderOptions();

    private final FreezeLiftOption lifting = new FreezeLiftOption();

    private SiteOrderCommand(Kind kind, Terminal terminal) {
        this.kind = kind;
        this.terminal = terminal;
    }

    /** All of them, under their words. */
    public static void addTo(CommandLine group, Terminal terminal) {
        for (Kind kind : Kind.values()) {
            String word = kind.verb.label();
            SiteOrderCommand order = new SiteOrderCommand(kind, terminal);
            CommandLine command = new CommandLine(order);
            if (kind == Kind.UNFREEZE) {
                command.addMixin("lifting", order.lifting);
            }
            command.getCommandSpec().name(word).usageMessage().description(kind.summary);
            HelpExamples.set(command, "flotilla site " + word + " east --why 'change 4711'");
            group.addSubcommand(word, command);
        }
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        String problem = NameValidator.problemOfOwnName(name);
        if (problem != null) {
            problems.add("\"" + name + "\" is no name of a site: it " + problem);
        }
        problems.addAll(options.waitOption().problems());
        return problems.isEmpty()
                ? options.connection().run(terminal, this::give)
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private int give(FleetKafkaClient kafka) {
        SiteId site = new SiteId(name);
        SortedSet<SiteId> sites = kafka.knownSites();
        if (!sites.contains(site)) {
            return options.connection()
                    .reportNegativeAnswer(terminal, "there is no site " + name + "; there are: " + sites);
        }
        OperatorOrderKey key = kind.key.apply(site);
        return kind == Kind.UNFREEZE
                ? lifting.unfreeze(options, kafka, terminal, key, "site " + name, kind.done)
                : options.submitOrder(kafka, terminal, key, kind.verb, null, "site " + name, kind.done);
    }
}
