package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OptionalCommandsTest {
    private static final ClassLoader WITHOUT_LIBRARIES =
            new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader());

    private final StringWriter err = new StringWriter();
    private final Terminal terminal =
            new Terminal(new PrintWriter(new StringWriter()), new PrintWriter(err), 0, false, false, null);

    @ParameterizedTest
    @EnumSource
    void libraryIsFoundOnTheClassPathOfAllCommands(CommandLibrary library) {
        assertThat(library.isPresent(OptionalCommandsTest.class.getClassLoader()))
                .isTrue();
        assertThat(library.isPresent(WITHOUT_LIBRARIES)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "demo --machines 3", "campaign get k8s", "orchestrator --help"})
    void commandWithoutItsLibrarySaysWhereItIs(String line) {
        int exit = FlotillaCommandLine.commandLine(terminal, WITHOUT_LIBRARIES).execute(line.split(" "));
        terminal.err().flush();

        assertThat(exit).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString())
                .startsWith("flotilla " + line + ": this image does not contain the command.")
                .contains("deploy/Containerfile");
    }

    @Test
    void helpListsOnlyCommandsThatCanBeRun() {
        CommandLine root = FlotillaCommandLine.commandLine(terminal, WITHOUT_LIBRARIES);
        List<String> listed = root.getSubcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .collect(Collectors.toList());

        assertThat(listed).containsExactly("completion", "version", "help");
        assertThat(root.getUsageMessage()).contains("flotilla version").doesNotContain("flotilla demo");
    }
}
