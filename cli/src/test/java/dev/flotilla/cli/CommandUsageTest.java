package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

class CommandUsageTest {

    @ParameterizedTest
    @MethodSource("commandNames")
    void everyHelpHasExamples(String words) {
        List<String> args = new ArrayList<>(Arrays.asList(words.split(" ")));
        args.removeIf(String::isEmpty);
        args.add("--help");

        CliResult cliResult = CliResult.flotilla(args.toArray(new String[0]));

        assertThat(cliResult.exit()).isZero();
        assertThat(cliResult.out()).contains("Examples:").contains("  flotilla");
        assertThat(cliResult.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fleet status", "machine list", "campaign pause", "site freeze", "journal verify"})
    void helpListsTheExitCodesOnce(String words) {
        assertThat(CliResult.flotilla((words + " --help").split(" ")).out()).containsOnlyOnce("Exit codes: 0 ");
    }

    static Stream<String> commandNames() {
        Terminal terminal = new Terminal(
                new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), 0, false, false, null);
        List<String> words = new ArrayList<>();
        collect(FlotillaCommandLine.commandLine(terminal), "", words);
        return words.stream().filter(each -> !each.endsWith("help"));
    }

    private static void collect(CommandLine command, String words, List<String> into) {
        into.add(words);
        command.getSubcommands().forEach((name, each) -> collect(each, (words + " " + name).strip(), into));
    }

    /** A list of commands shows the first line of each description. */
    @ParameterizedTest
    @MethodSource("commandNames")
    void firstLineOfEachDescriptionIsASentence(String words) {
        CommandLine command = FlotillaCommandLine.commandLine(new Terminal(
                new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), 0, false, false, null));
        for (String word : words.split(" ")) {
            command = word.isEmpty() ? command : command.getSubcommands().get(word);
        }
        UsageMessageSpec says = command.getCommandSpec().usageMessage();
        String listed = says.header().length > 0 ? says.header()[0] : says.description()[0];

        assertThat(listed).endsWith(".");
        assertThat(command.getUsageMessage()).doesNotContain("%%");
    }

    @Test
    void suggestsACommandForAnUnknownOne() {
        CliResult cliResult = CliResult.flotilla("dem");

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.err()).contains("unknown command dem").contains("did you mean demo?");
        assertThat(CliResult.flotilla("campaign", "pln").err()).contains("did you mean plan?");
        assertThat(CliResult.flotilla("validate", "spring.yaml").err())
                .contains("unknown command validate; did you mean campaign validate or policy validate?");
    }

    @Test
    void aSiteIsRemovedByTheNameThatPeopleTry() {
        CliResult help = CliResult.flotilla("site", "remove", "--help");

        assertThat(help.exit()).isZero();
        assertThat(help.out()).contains("Removes a site from Flotilla");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soak --hours 1", "campaign undo spring --plan", "journal anchor"})
    void saysThatACommandOfALaterVersionIsMissing(String line) {
        CliResult cliResult = CliResult.flotilla(line.split(" "));

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.err()).contains("is not in this version").doesNotContain("unknown command");
    }

    @Test
    void reportsAllUsageErrorsAtOnce() {
        CliResult cliResult =
                CliResult.flotilla("demo", "--machnes", "--sites", "many", "--kill", "everything", "--machines", "0");

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.out()).isEmpty();
        assertThat(cliResult.err())
                .contains("did you mean --machines?")
                .contains("'many' is not a whole number")
                .contains("everything")
                .contains("--machines 0 is out of range: use 1 to 5000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo --clusters 1 --machines 0 --cap 0 --fail-rate 2 --speed -1",
                "demo --endpoints /no/such/folder/x.json",
                "demo --kubernetes imagined",
                "simulate",
                "simulate --exhaustive --broken",
                "simulate --exhaustive --depth 0",
                "simulate --seeds 1-2 --depth 3",
                "simulate --seeds 9-2",
                "simulate --seeds 1-2 --broken",
                "simulate --seed 3",
                "simulate --transcript",
                "simulate --campaign x",
                "simulate --fleet none.yaml --campaign none.yaml",
                "simulate --seeds 1-2 --json /no/such/folder/x.json",
                "campaign validate",
                "campaign validate no-such-file.yaml"
            })
    void wrongUsageExitsWithTwoAndRunsNothing(String line) {
        CliResult cliResult = CliResult.flotilla(line.split(" "));

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.out()).isEmpty();
        assertThat(cliResult.err()).isNotBlank().doesNotContain("\tat ").doesNotContain("Exception");
    }

    @Test
    void completionScriptOffersValuesAsTheyAreTyped() {
        assertThat(CliResult.flotilla("completion", "bash").out())
                .contains("(\"k8sd\" \"node-upgrade\" \"mixed\")", "(\"jobs\" \"simulated\")")
                .contains("(\"leader\" \"worker\" \"watcher\" \"broker\")", "(\"embedded\" \"real\")")
                .doesNotContainPattern("_option_args=\\(\"[A-Z]");
    }

    @Test
    void completionScriptContainsCommandsAndOptions() {
        CliResult cliResult = CliResult.flotilla("completion", "bash");

        assertThat(cliResult.exit()).isZero();
        assertThat(cliResult.out()).contains("complete").contains("simulate").contains("--fail-rate");
    }

    @Test
    void printsTheVersionOfTheBuild() {
        assertThat(CliResult.flotilla("version").out()).startsWith("flotilla ").doesNotContain("${");
        assertThat(CliResult.flotilla("version", "--output", "json").json())
                .startsWith("{\"version\":\"")
                .contains("\",\"java\":\"" + Runtime.version() + "\",\"os\":\"", "\",\"architecture\":\"")
                .doesNotContain("${");
        assertThat(CliResult.flotilla("--version").out()).startsWith("flotilla ");
    }
}
