package dev.flotilla.cli;

import dev.flotilla.cli.allinone.AllInOneCommand;
import dev.flotilla.cli.clusterapi.ClusterApiPlanCommand;
import dev.flotilla.cli.command.BugReport;
import dev.flotilla.cli.command.CommandGroup;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.command.HelpExitCodes;
import dev.flotilla.cli.command.UsageErrors;
import dev.flotilla.cli.completion.CommandLineCompletion;
import dev.flotilla.cli.completion.CompletionCommand;
import dev.flotilla.cli.demo.DemoCommand;
import dev.flotilla.cli.process.AuditorCommand;
import dev.flotilla.cli.process.CampaignControllerCommand;
import dev.flotilla.cli.process.ClusterApiExtensionCommand;
import dev.flotilla.cli.process.ManagementWatcherCommand;
import dev.flotilla.cli.process.NodeUpgraderCommand;
import dev.flotilla.cli.process.NodeWorkerCommand;
import dev.flotilla.cli.process.OrchestratorCommand;
import dev.flotilla.cli.simulate.SimulateCommand;
import dev.flotilla.cli.support.SupportBundleCommand;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.upgrade.UpgradeCheckCommand;
import dev.flotilla.runtime.process.BuildVersion;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The tree of commands, and how one command line is run. */
public final class FlotillaCommandLine {
    /** The property with the name by which this program was called, such as {@code kubectl flotilla}. */
    private static final String NAME_PROPERTY = "flotilla.command";

    private static final String NAME = "flotilla";
    private static final int HELP_WIDTH = 110;
    private static final List<String> EXAMPLES = List.of(
            "flotilla demo",
            "flotilla all-in-one --kubeconfig FILE",
            "flotilla simulate --seeds 1-200",
            "flotilla campaign validate FILE",
            "flotilla version");

    private FlotillaCommandLine() {}

    /** Runs one command line. Returns the exit code. */
    public static int run(Terminal terminal, String... args) {
        try {
            return args.length > 0 && args[0].equals(CommandLineCompletion.COMMAND)
                    ? new CommandLineCompletion(commandLine(terminal), terminal)
                            .print(List.of(args).subList(1, args.length))
                    : commandLine(terminal).execute(args);
        } finally {
            terminal.out().flush();
            terminal.err().flush();
        }
    }

    /** Builds the tree of all commands. */
    public static CommandLine commandLine(Terminal terminal) {
        return commandLine(terminal, FlotillaCommandLine.class.getClassLoader());
    }

    /** Builds the tree of commands for a class path, which may lack libraries of some. */
    static CommandLine commandLine(Terminal terminal, ClassLoader classPath) {
        CommandLine root = CommandGroup.of(
                NAME,
                "Upgrades the machines of a fleet of Kubernetes clusters in place, under one set of" + " limits.",
                terminal);
        root.getCommandSpec().versionProvider(() -> new String[] {"flotilla " + BuildVersion.number()});
        OptionalCommands commands = new OptionalCommands(root, terminal, classPath);
        // Lambdas: a method reference would load its class, and check it against libraries that may be missing.
        commands.add("demo", CommandLibrary.BROKER, on -> DemoCommand.of(on));
        commands.add("all-in-one", CommandLibrary.BROKER, on -> AllInOneCommand.of(on));
        commands.add("simulate", CommandLibrary.SIMULATOR, on -> SimulateCommand.of(on));
        commands.add("bench", CommandLibrary.SIMULATOR, on -> BenchCommand.of(on));
        commands.add("campaign", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.campaign(on));
        commands.add("machine", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.machine(on));
        commands.add("fleet", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.fleet(on));
        commands.add("site", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.site(on));
        commands.add("policy", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.policy(on));
        commands.add("journal", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.journal(on));
        commands.add("rejected", CommandLibrary.SIMULATOR, on -> FleetCommandGroups.rejected(on));
        commands.add("support-bundle", CommandLibrary.SIMULATOR, on -> SupportBundleCommand.of(on));
        commands.add("upgrade", CommandLibrary.ORCHESTRATOR, on -> UpgradeCheckCommand.group(on));
        commands.add("cluster-api", CommandLibrary.SIMULATOR, on -> ClusterApiPlanCommand.group(on));
        commands.add("orchestrator", CommandLibrary.ORCHESTRATOR, on -> OrchestratorCommand.of(on));
        commands.add("management-watcher", CommandLibrary.MANAGEMENT_WATCHER, on -> ManagementWatcherCommand.of(on));
        commands.add("node-worker", CommandLibrary.NODE_WORKER, on -> NodeWorkerCommand.of(on));
        commands.add("node-upgrader", CommandLibrary.NODE_UPGRADER, on -> NodeUpgraderCommand.of(on));
        commands.add("cluster-api-extension", CommandLibrary.CLUSTER_API, on -> ClusterApiExtensionCommand.of(on));
        commands.add("campaign-controller", CommandLibrary.CAMPAIGN_CONTROLLER, on -> CampaignControllerCommand.of(on));
        commands.add("auditor", CommandLibrary.SIMULATOR, on -> AuditorCommand.of(on));
        root.addSubcommand("completion", CompletionCommand.of(root, terminal));
        root.addSubcommand("version", VersionCommand.of(terminal));
        root.addSubcommand("help", helpCommand());
        root.getSubcommands().values().forEach(HelpExitCodes::addTo);
        HelpExamples.set(root, EXAMPLES.stream().filter(commands::isOffered).toArray(String[]::new));
        return configure(root, terminal);
    }

    private static CommandLine configure(CommandLine root, Terminal terminal) {
        root.setOut(terminal.out());
        root.setErr(terminal.err());
        root.setColorScheme(Help.defaultColorScheme(terminal.colour() ? Help.Ansi.ON : Help.Ansi.OFF));
        root.setUsageHelpWidth(HELP_WIDTH);
        root.setUsageHelpLongOptionsMaxWidth(40);
        root.setAbbreviatedOptionsAllowed(false);
        root.setOverwrittenOptionsAllowed(false);
        collectErrors(root);
        CalledName.apply(root, System.getProperty(NAME_PROPERTY, NAME));
        root.setExecutionStrategy(parsed -> execute(parsed, terminal));
        root.setParameterExceptionHandler((wrong, args) -> {
            printErrors(
                    wrong.getCommandLine().getCommandSpec().qualifiedName(),
                    List.of(String.valueOf(wrong.getMessage())),
                    terminal);
            return ExitCode.USAGE;
        });
        root.setExecutionExceptionHandler((bug, command, parsed) -> {
            BugReport.print(bug, command.getCommandSpec().qualifiedName(), terminal);
            return ExitCode.BUG;
        });
        return root;
    }

    /** Collects problems, so that all of them are printed at once. */
    private static void collectErrors(CommandLine command) {
        command.getCommandSpec().parser().collectErrors(true);
        command.getSubcommands().values().forEach(FlotillaCommandLine::collectErrors);
    }

    private static int execute(ParseResult parsed, Terminal terminal) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        List<String> problems = UsageErrors.findProblems(parsed);
        if (problems.isEmpty()) {
            return new RunLast().execute(parsed);
        }
        printErrors(UsageErrors.commandName(parsed), problems, terminal);
        return ExitCode.USAGE;
    }

    private static void printErrors(String command, List<String> problems, Terminal terminal) {
        for (String problem : problems) {
            terminal.note(command + ": " + problem);
        }
        terminal.note("See " + command + " --help");
    }

    private static CommandLine helpCommand() {
        CommandLine help = new CommandLine(new HelpCommand());
        help.getCommandSpec()
                .usageMessage()
                .header("Shows the help of a command.")
                .description();
        HelpExamples.set(help, "flotilla help demo");
        return help;
    }
}
