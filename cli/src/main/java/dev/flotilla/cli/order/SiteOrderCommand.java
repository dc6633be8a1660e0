package dev.flotilla.cli.order;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla site freeze}, {@code unfreeze}, {@code accept-removal}, {@code write-off} and {@code adopt}. */
@Command(mixinStandardHelpOptions = true)
public final class SiteOrderCommand implements Callable<Integer> {
    /** Orders to a site. */
    private enum Kind {
        FREEZE(
                OperatorOrder.OrderVerb.FREEZE,
                OperatorOrderKey.FreezeSite::new,
                "Freezes a site: no machine starts, and attempts that have not called their node yet are cancelled.",
                "frozen"),
        UNFREEZE(
                OperatorOrder.OrderVerb.UNFREEZE,
                OperatorOrderKey.FreezeSite::new,
                "Lifts an ordered freeze of a site. A freeze by its policy stays.",
                "unfrozen"),
        ACCEPT_REMOVAL(
                OperatorOrder.OrderVerb.ACCEPT_REMOVAL,
                OperatorOrderKey.AcceptMassRemoval::new,
                "Confirms that machines that vanished at once are really deleted (gate mass-removal).",
                "removal accepted"),
        WRITE_OFF(
                OperatorOrder.OrderVerb.WRITE_OFF,
                OperatorOrderKey.WriteOffSite::new,
                "Gives up a suspended site that will not return: its open attempts end as failed.",
                "written off"),
        ADOPT(
                OperatorOrder.OrderVerb.ADOPT,
                OperatorOrderKey.AdoptSiteTopics::new,
                "Accepts a site's topics that were created again or lost records: the orchestrator reads them from"
                        + " the beginning.",
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

    /** The option {@code --force} of {@code write-off}. */
    static final class WriteOffForce {
        @Option(names = "--force", description = "Give up the site although its watcher is heard.")
        private boolean force;
    }

    private final Kind kind;
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the site.")
    private String name = "";

    @Mixin
    private OrderOptions options = new OrderOptions();

    private final FreezeLiftOption lifting = new FreezeLiftOption();
    private final WriteOffForce writeOffForce = new WriteOffForce();

    private SiteOrderCommand(Kind kind, Terminal terminal) {
        this.kind = kind;
        this.terminal = terminal;
    }

    /** Adds one subcommand for each order. */
    public static void addTo(CommandLine group, Terminal terminal) {
        for (Kind kind : Kind.values()) {
            String word = kind.verb.label();
            SiteOrderCommand order = new SiteOrderCommand(kind, terminal);
            CommandLine command = new CommandLine(order);
            order.options.addOutputTo(command);
            if (kind == Kind.UNFREEZE) {
                command.addMixin("lifting", order.lifting);
            }
            if (kind == Kind.WRITE_OFF) {
                command.addMixin("force", order.writeOffForce);
            }
            command.getCommandSpec().name(word).usageMessage().description(kind.summary);
            HelpExamples.set(command, "flotilla site " + word + " east --reason 'change 4711'");
            group.addSubcommand(word, command);
        }
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        problems.addAll(CommandErrorReporter.siteNameProblems(name));
        problems.addAll(options.waitOption().problems());
        return problems.isEmpty()
                ? options.connection().run(terminal, this::submitOrder)
                : options.connection().reportUsageErrors(terminal, problems);
    }

    private static boolean isHeard(FleetKafkaClient kafka, SiteId site) {
        SiteHead head = kafka.read(List.of(), Table.HEAD).siteHeads().get(site);
        return head != null && head.unreachableSince() == null && head.silentSince() == null;
    }

    private int submitOrder(FleetKafkaClient kafka) {
        SiteId site = new SiteId(name);
        SortedSet<SiteId> sites = kafka.knownSites();
        if (!sites.contains(site)) {
            return options.reportNotApplied(terminal, "site " + name, "there is no site " + name + "; sites: " + sites);
        }
        if (kind == Kind.WRITE_OFF && !writeOffForce.force && isHeard(kafka, site)) {
            return options.reportNotApplied(
                    terminal,
                    "site " + name,
                    "site " + name
                            + " is connected and its watcher is heard. Its open attempts would end as failed, though"
                            + " its workers go on with them. To give it up nevertheless, add --force");
        }
        OperatorOrderKey key = kind.key.apply(site);
        return kind == Kind.UNFREEZE
                ? lifting.unfreeze(options, kafka, terminal, key, "site " + name, kind.done)
                : options.submitOrder(kafka, terminal, key, kind.verb, null, "site " + name, kind.done);
    }
}
