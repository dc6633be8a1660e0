package dev.flotilla.cli.site;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.AclGranter;
import dev.flotilla.kafka.KafkaAclPrincipal;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla site add}. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
            "Creates the topics of sites, and the topics of the fleet if they are missing. Existing topics stay as"
                    + " they are.",
            "The orchestrator finds a new site within a few seconds."
        })
public final class SiteAddCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            paramLabel = "NAME",
            arity = "1..*",
            description = "Names of the sites: lower-case letters, digits" + " and '-'.")
    private List<String> names = List.of();

    @Option(
            names = "--apply-acls",
            description = "Grant ACLs to the components of the fleet and the sites, under their default principals.")
    private boolean applyAcls;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private SiteAddCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteAddCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla site add east",
                "flotilla site add east north --bootstrap localhost:9092",
                "flotilla site add east --apply-acls --config administrator.yaml");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        for (String name : names) {
            problems.addAll(CommandErrorReporter.siteNameProblems(name));
        }
        return problems.isEmpty()
                ? connection.run(terminal, this::add)
                : connection.reportUsageErrors(terminal, problems);
    }

    private int add(FleetKafkaClient kafka) {
        Set<SiteId> sites = new LinkedHashSet<>();
        names.forEach(name -> sites.add(new SiteId(name)));
        Set<SiteId> all = new HashSet<>(kafka.topics().findCompleteSites());
        all.addAll(sites);
        kafka.topics().requireTransactions();
        if (all.size() > TopicCatalogue.MAX_SITES) {
            return connection.reportNegativeAnswer(
                    terminal,
                    "that would make " + all.size() + " sites, but at most " + TopicCatalogue.MAX_SITES
                            + " are supported: nothing was created");
        }
        create(kafka, "the fleet", TopicCatalogue.fleetTopics());
        sites.forEach(site -> create(kafka, "site " + site, TopicCatalogue.siteTopics(site)));
        return applyAcls ? grant(kafka, sites) : ExitCode.DONE;
    }

    private void create(FleetKafkaClient kafka, String what, List<Topic> topics) {
        List<Topic> made = kafka.topics().create(topics);
        for (Topic topic : topics) {
            terminal.out().println((made.contains(topic) ? "created  " : "exists   ") + topic);
        }
        terminal.out()
                .println(what + ": " + made.size() + " topics created, " + (topics.size() - made.size())
                        + " already existed");
        terminal.out().flush();
    }

    private int grant(FleetKafkaClient kafka, Set<SiteId> sites) {
        List<KafkaAclPrincipal> components =
                new ArrayList<>(List.of(new KafkaAclPrincipal.Orchestrator(), new KafkaAclPrincipal.Auditor()));
        for (SiteId site : sites) {
            components.add(new KafkaAclPrincipal.Watcher(site));
            components.add(new KafkaAclPrincipal.Worker(site));
        }
        try (AclGranter rights = kafka.aclGranter()) {
            if (!rights.hasAuthorizer()) {
                return connection.reportNegativeAnswer(
                        terminal,
                        "the brokers at " + kafka.brokers()
                                + " have no authorizer, so ACLs have no effect: set authorizer.class.name");
            }
            rights.grant(components);
        }
        components.forEach(
                kafkaAclPrincipal -> terminal.out().println("granted  User:" + kafkaAclPrincipal.defaultName()));
        return ExitCode.DONE;
    }
}
