package dev.flotilla.cli.site;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.AclGranter;
import dev.flotilla.kafka.KafkaAclPrincipal;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    @Mixin
    private OutputOption output = new OutputOption();

    private SiteAddCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteAddCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla site add east",
                "flotilla site add east north --bootstrap localhost:9092",
                "flotilla site add east --apply-acls --config administrator.yaml",
                "flotilla site add east --output json");
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

    /** The topics of the fleet or of a site. */
    private record AddedTopics(String object, List<Topic> topics, List<Topic> created) {
        List<String> lines() {
            List<String> lines = new ArrayList<>();
            topics.forEach(topic -> lines.add((created.contains(topic) ? "created  " : "exists   ") + topic));
            lines.add(object + ": " + created.size() + " topics created, " + (topics.size() - created.size())
                    + " already existed");
            return lines;
        }

        JsonValue json() {
            return new JsonObjectReader.Builder()
                    .put("object", object)
                    .put("result", created.isEmpty() ? "unchanged" : "changed")
                    .put("created", created.stream().map(Topic::toString).toList())
                    .put(
                            "existing",
                            topics.stream()
                                    .filter(topic -> !created.contains(topic))
                                    .map(Topic::toString)
                                    .toList())
                    .build();
        }
    }

    private int add(FleetKafkaClient kafka) {
        List<AddedTopics> added = new ArrayList<>();
        List<String> granted = new ArrayList<>();
        String problem = add(kafka, added, granted);
        if (output.isJson()) {
            output.print(
                    terminal,
                    List::of,
                    () -> new JsonObjectReader.Builder()
                            .put(
                                    "added",
                                    JsonFormatter.list(added.stream()
                                            .map(AddedTopics::json)
                                            .toList()))
                            .put("granted", granted)
                            .put("reason", JsonFormatter.text(problem))
                            .build());
        }
        return problem == null ? ExitCode.DONE : connection.reportNegativeAnswer(terminal, problem);
    }

    /** Adds the sites, and collects what it did; returns why it is incomplete, or null. */
    private @Nullable String add(FleetKafkaClient kafka, List<AddedTopics> added, List<String> granted) {
        Set<SiteId> sites = new LinkedHashSet<>();
        names.forEach(name -> sites.add(new SiteId(name)));
        Set<SiteId> all = new HashSet<>(kafka.topics().findCompleteSites());
        all.addAll(sites);
        kafka.topics().requireTransactions();
        if (all.size() > TopicCatalogue.MAX_SITES) {
            return "that would make " + all.size() + " sites, but at most " + TopicCatalogue.MAX_SITES
                    + " are supported: nothing was created";
        }
        added.add(create(kafka, "the fleet", TopicCatalogue.fleetTopics()));
        sites.forEach(site -> added.add(create(kafka, "site " + site, TopicCatalogue.siteTopics(site))));
        return applyAcls ? grant(kafka, sites, granted) : null;
    }

    private AddedTopics create(FleetKafkaClient kafka, String object, List<Topic> topics) {
        AddedTopics added = new AddedTopics(object, topics, kafka.topics().create(topics));
        printLines(added.lines());
        return added;
    }

    private @Nullable String grant(FleetKafkaClient kafka, Set<SiteId> sites, List<String> granted) {
        List<KafkaAclPrincipal> components =
                new ArrayList<>(List.of(new KafkaAclPrincipal.Orchestrator(), new KafkaAclPrincipal.Auditor()));
        for (SiteId site : sites) {
            components.add(new KafkaAclPrincipal.Watcher(site));
            components.add(new KafkaAclPrincipal.Worker(site));
        }
        try (AclGranter rights = kafka.aclGranter()) {
            if (!rights.hasAuthorizer()) {
                return "the brokers at " + kafka.brokers()
                        + " have no authorizer, so ACLs have no effect: set authorizer.class.name";
            }
            rights.grant(components);
        }
        components.forEach(component -> granted.add("User:" + component.defaultName()));
        printLines(granted.stream().map(user -> "granted  " + user).toList());
        return null;
    }

    /** Prints lines at once, so that they are there if a later step fails. */
    private void printLines(List<String> lines) {
        if (!output.isJson()) {
            lines.forEach(terminal.out()::println);
            terminal.out().flush();
        }
    }
}
