package dev.flotilla.cli.demo;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.demo.stage.Stage;
import dev.flotilla.cli.demo.stage.StageFailure;
import dev.flotilla.cli.terminal.JsonTarget;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
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
        header =
                "Upgrades a fleet while you watch: real Kafka, orchestrator, auditor, watchers and workers, simulated machines.",
        description = {
            "A canary and then the rest, under a cap that holds for the whole fleet.",
            "Exit: 0 every invariant held and each machine ended or waits for a person, 1 not so, 3 something could not"
                    + " be started."
        })
public final class DemoCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private DemoOptions options = new DemoOptions();

    @Mixin
    private JsonTarget json = new JsonTarget();

    /** Whether somebody has had enough, and what ends is meant to. */
    private volatile boolean ending;

    private DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new DemoCommand(terminal));
        Examples.set(
                command,
                "flotilla demo",
                "flotilla demo --kill leader --kill broker --json demo.json",
                "flotilla demo --machines 60 --clusters 12",
                "flotilla demo --fail-rate 0.1 --cap 20 --seed 7");
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> problems = new ArrayList<>(options.problems());
        String unwritable = json.problem();
        if (unwritable != null) {
            problems.add(unwritable);
        }
        if (!problems.isEmpty()) {
            problems.forEach(problem -> terminal.note("flotilla demo: " + problem));
            terminal.note("See flotilla demo --help");
            return Exit.USAGE;
        }
        String unreachable = options.unreachable();
        if (unreachable != null) {
            terminal.note("flotilla demo: " + unreachable);
            return Exit.UNREACHABLE;
        }
        PrintWriter out = json.human(terminal);
        out.println(Summary.first(options.spec()));
        out.flush();
        Screen screen = Screen.of(terminal);
        try (Stage stage = Stage.open()) {
            Thread interrupted = new Thread(() -> interrupted(stage, screen), "interrupted");
            Runtime.getRuntime().addShutdownHook(interrupted);
            try {
                return on(stage, screen, out);
            } finally {
                forget(interrupted);
            }
        } catch (StageFailure failure) {
            if (!ending) {
                terminal.note("flotilla demo: " + failure.getMessage());
            }
            return Exit.UNREACHABLE;
        }
    }

    private int on(Stage stage, Screen screen, PrintWriter out) throws StageFailure, InterruptedException {
        DemoResult result = new Demo(options.spec(), stage, screen, this::writeEndpoints).run(options.victims());
        Summary.lines(result).forEach(out::println);
        out.flush();
        String failed = json.write(DemoJson.of(result), terminal);
        if (failed != null) {
            terminal.note("flotilla demo: " + failed);
        }
        if (options.keep()) {
            terminal.note("All of it goes on, with its logs in " + stage.folder() + ". Interrupt to end it. To try:");
            ToTry.lines(stage, options.spec()).forEach(line -> terminal.note("  " + line));
            // Nobody opens this latch: an interrupt ends the process.
            new CountDownLatch(1).await();
        }
        stage.close();
        if (result.good()) {
            stage.removeFolder();
        } else {
            terminal.note("The logs are in " + stage.folder());
        }
        return failed != null ? Exit.USAGE : result.good() ? Exit.DONE : Exit.NO;
    }

    private void writeEndpoints(JsonValue endpoints) {
        String file = options.endpoints();
        String failed = file == null ? null : JsonTarget.write("--endpoints", file, JsonText.of(endpoints));
        if (failed != null) {
            terminal.note("flotilla demo: " + failed);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is at work already.
        }
    }

    private void interrupted(Stage stage, Screen screen) {
        ending = true;
        screen.interrupted();
        stage.close();
        if (!options.keep()) {
            stage.removeFolder();
        }
    }
}
