package dev.flotilla.cli.demo;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.JsonTarget;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.simulator.play.Play;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        header = "Upgrades a simulated fleet while you watch.",
        description = {
            "A canary, an early wave and the rest, under a cap that holds for" + " the whole fleet.",
            "Exit: 0 every invariant held and each machine ended or waits for a person, 1 not so."
        })
public final class DemoCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private DemoOptions options = new DemoOptions();

    @Mixin
    private JsonTarget json = new JsonTarget();

    private DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new DemoCommand(terminal));
        Examples.set(
                command,
                "flotilla demo",
                "flotilla demo --kill leader --kill worker --json demo.json",
                "flotilla demo --machines 60 --clusters 12 --speed 1000",
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
            return Exit.USAGE;
        }
        PrintWriter out = json.human(terminal);
        out.println(Summary.first(options.speed()));
        out.flush();
        Screen screen = Screen.of(terminal);
        Pacer pacer = new Pacer(options.speed());
        Play play = new Play(options.spec(), options.victims(), event -> pacer.happened(event, screen));
        Pacer.Timing timing = pacer.run(play, screen);
        Report report = new Report(options.spec(), play.result(), timing, options.speed());
        Summary.lines(report).forEach(out::println);
        out.flush();
        String failed = json.write(DemoJson.of(report), terminal);
        if (failed != null) {
            terminal.note("flotilla demo: " + failed);
            return Exit.USAGE;
        }
        return report.good() ? Exit.DONE : Exit.NO;
    }
}
