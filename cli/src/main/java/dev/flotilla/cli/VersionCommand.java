package dev.flotilla.cli;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.process.BuildVersion;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla version}. */
@Command(name = "version", mixinStandardHelpOptions = true, description = "Prints the version.")
final class VersionCommand implements Callable<Integer> {
    private static final String OS = System.getProperty("os.name");
    private static final String ARCHITECTURE = System.getProperty("os.arch");

    private final Terminal terminal;

    @Mixin
    private OutputOption output = new OutputOption();

    private VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new VersionCommand(terminal));
        HelpExamples.set(command, "flotilla version", "flotilla version --output json");
        return command;
    }

    @Override
    public Integer call() {
        output.print(
                terminal,
                () -> List.of(
                        "flotilla " + BuildVersion.number(),
                        "java " + Runtime.version() + ", " + OS + " " + ARCHITECTURE),
                () -> new JsonObjectReader.Builder()
                        .put("version", BuildVersion.number())
                        .put("java", Runtime.version().toString())
                        .put("os", OS)
                        .put("architecture", ARCHITECTURE)
                        .build());
        return ExitCode.DONE;
    }
}
