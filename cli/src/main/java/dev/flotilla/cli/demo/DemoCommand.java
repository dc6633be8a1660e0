package dev.flotilla.cli.demo;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.command.OptionRangeCheck;
import dev.flotilla.cli.demo.stage.DemoProcessException;
import dev.flotilla.cli.demo.stage.DemoProcesses;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "Upgrades a demonstration fleet: real Kafka, orchestrators, auditor, watchers and workers; simulated"
                + " machines.",
        description = {
            "One campaign runs: a canary, then two waves, under one cap for the whole fleet. Needs no cluster and no"
                    + " broker.",
            "Exit codes: 0 every invariant held and each machine has ended or waits for an operator, 1 otherwise, 2"
                    + " wrong usage,"
                    + " 3 something could not be started."
        })
public final class DemoCommand implements Callable<Integer>, OptionRangeCheck {
    private final Terminal terminal;

    @Mixin
    private DemoOptions options = new DemoOptions();

    @Mixin
    private JsonFileOption json = new JsonFileOption();

    /** Whether the user has interrupted the demonstration, so that ending processes are expected. */
    private volatile boolean ending;

    private DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new DemoCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla demo",
                "flotilla demo --kill leader --kill broker --json demo.json",
                "flotilla demo --machines 60 --clusters 12",
                "flotilla demo --provider mixed --machines 120 --clusters 24",
                "flotilla demo --fail-rate 0.1 --cap 20 --seed 7");
        return command;
    }

    @Override
    public List<String> findOptionsOutOfRange() {
        return options.findOptionsOutOfRange();
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> problems = new ArrayList<>(options.problems());
        String unwritable = json.findProblem();
        if (unwritable != null) {
            problems.add(unwritable);
        }
        if (!problems.isEmpty()) {
            problems.forEach(problem -> terminal.note("flotilla demo: " + problem));
            terminal.note("See flotilla demo --help");
            return ExitCode.USAGE;
        }
        String unreachable = options.findMissingPrograms();
        if (unreachable != null) {
            terminal.note("flotilla demo: " + unreachable);
            return ExitCode.UNREACHABLE;
        }
        PrintWriter out = json.humanOutput(terminal);
        out.println(DemoSummaryText.firstLine(options.spec()));
        out.flush();
        DemoScreen screen = DemoScreen.of(terminal);
        try (DemoProcesses demoProcesses = DemoProcesses.open()) {
            Thread interrupted = new Thread(() -> onInterrupt(demoProcesses, screen), "interrupted");
            Runtime.getRuntime().addShutdownHook(interrupted);
            try {
                return runOn(demoProcesses, screen, out);
            } finally {
                removeHook(interrupted);
            }
        } catch (DemoProcessException failure) {
            if (!ending) {
                terminal.note("flotilla demo: " + failure.getMessage());
            }
            return ExitCode.UNREACHABLE;
        }
    }

    private int runOn(DemoProcesses demoProcesses, DemoScreen screen, PrintWriter out)
            throws DemoProcessException, InterruptedException {
        DemoResult result =
                new DemoRunner(options.spec(), demoProcesses, screen, this::writeEndpoints).run(options.killTargets());
        DemoSummaryText.lines(result).forEach(out::println);
        out.flush();
        String failed = json.write(DemoResultJson.toJson(result), terminal);
        if (failed != null) {
            terminal.note("flotilla demo: " + failed);
        }
        if (options.keep()) {
            terminal.note("Everything keeps running, with logs in " + demoProcesses.folder()
                    + ". Press Ctrl-C to end it." + " Commands to try:");
            SuggestedCommands.lines(demoProcesses, options.spec()).forEach(line -> terminal.note("  " + line));
            // Nothing opens this latch: an interrupt ends the process.
            new CountDownLatch(1).await();
        }
        demoProcesses.close();
        if (result.isSuccessful()) {
            demoProcesses.removeFolder();
        } else {
            terminal.note("The logs are in " + demoProcesses.folder());
        }
        return failed != null ? ExitCode.USAGE : result.isSuccessful() ? ExitCode.DONE : ExitCode.NO;
    }

    private void writeEndpoints(JsonValue endpoints) {
        String file = options.endpoints();
        String failed =
                file == null ? null : JsonFileOption.write("--endpoints", file, JsonFormatter.format(endpoints));
        if (failed != null) {
            terminal.note("flotilla demo: " + failed);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown hook runs already.
        }
    }

    private void onInterrupt(DemoProcesses demoProcesses, DemoScreen screen) {
        ending = true;
        screen.interrupted();
        demoProcesses.close();
        if (!options.keep()) {
            demoProcesses.removeFolder();
        }
    }
}
