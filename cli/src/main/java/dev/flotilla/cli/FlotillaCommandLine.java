package dev.flotilla.cli;

import dev.flotilla.cli.allinone.AllInOneCommand;
import dev.flotilla.cli.clusterapi.ClusterApiPlanCommand;
import dev.flotilla.cli.command.BugReport;
import dev.flotilla.cli.command.CommandGroup;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.command.HelpExitCodes;
import dev.flotilla.cli.command.UsageErrors;
import dev.flotilla.cli.demo.DemoCommand;
import dev.flotilla.cli.process.AuditorCommand;
import dev.flotilla.cli.process.ClusterApiExtensionCommand;
import dev.flotilla.cli.process.ManagementWatcherCommand;
import dev.flotilla.cli.process.NodeUpgraderCommand;
import dev.flotilla.cli.process.NodeWorkerCommand;
import dev.flotilla.cli.process.OrchestratorCommand;
import dev.flotilla.cli.simulate.SimulateCommand;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.process.BuildVersion;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The tree of commands, and how one command line is run. */
public final class FlotillaCommandLine {
    private static final int HELP_WIDTH = 110;

    private FlotillaCommandLine() {}

    /** Runs one command line. Returns the exit code. */
    public static int run(Terminal terminal, String... args) {
        try {
            return commandLine(terminal).execute(args);
        } finally {
            terminal.out().flush();
            terminal.err().flush();
        }
    }

    /** Builds the tree of all commands. */
    public static CommandLine commandLine(Terminal terminal) {
        CommandLine root = CommandGroup.of(
                "flotilla",
                "Upgrades the machines of a fleet of Kubernetes clusters in place, under one set of" + " limits.",
                terminal);
        HelpExamples.set(
                root,
                "flotilla demo",
                "flotilla all-in-one --kubeconfig FILE",
                "flotilla simulate --seeds 1-200",
                "flotilla campaign validate FILE");
        root.getCommandSpec().versionProvider(() -> new String[] {"flotilla " + BuildVersion.number()});
        root.addSubcommand("demo", DemoCommand.of(terminal));
        root.addSubcommand("all-in-one", AllInOneCommand.of(terminal));
        root.addSubcommand("simulate", SimulateCommand.of(terminal));
        root.addSubcommand("bench", BenchCommand.of(terminal));
        root.addSubcommand("campaign", FleetCommandGroups.campaign(terminal));
        root.addSubcommand("machine", FleetCommandGroups.machine(terminal));
        root.addSubcommand("fleet", FleetCommandGroups.fleet(terminal));
        root.addSubcommand("site", FleetCommandGroups.site(terminal));
        root.addSubcommand("policy", FleetCommandGroups.policy(terminal));
        root.addSubcommand("journal", FleetCommandGroups.journal(terminal));
        root.addSubcommand("rejected", FleetCommandGroups.rejected(terminal));
        root.addSubcommand("cluster-api", ClusterApiPlanCommand.group(terminal));
        root.addSubcommand("orchestrator", OrchestratorCommand.of(terminal));
        root.addSubcommand("management-watcher", ManagementWatcherCommand.of(terminal));
        root.addSubcommand("node-worker", NodeWorkerCommand.of(terminal));
        root.addSubcommand("node-upgrader", NodeUpgraderCommand.of(terminal));
        root.addSubcommand("cluster-api-extension", ClusterApiExtensionCommand.of(terminal));
        root.addSubcommand("auditor", AuditorCommand.of(terminal));
        root.addSubcommand("completion", CompletionCommand.of(root, terminal));
        root.addSubcommand("version", VersionCommand.of(terminal));
        root.addSubcommand("help", helpCommand());
        root.getSubcommands().values().forEach(HelpExitCodes::addTo);
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
