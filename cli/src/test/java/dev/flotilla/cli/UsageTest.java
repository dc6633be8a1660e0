package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

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

class UsageTest {

    @ParameterizedTest
    @MethodSource("verbs")
    void everyHelpTeachesByExample(String words) {
        List<String> args = new ArrayList<>(Arrays.asList(words.split(" ")));
        args.removeIf(String::isEmpty);
        args.add("--help");

        Ran ran = Ran.flotilla(args.toArray(new String[0]));

        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("Examples:").contains("  flotilla");
        assertThat(ran.err()).isEmpty();
    }

    static Stream<String> verbs() {
        Terminal terminal = new Terminal(
                new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), 0, false, false, null);
        List<String> words = new ArrayList<>();
        collect(Flotilla.commandLine(terminal), "", words);
        return words.stream().filter(each -> !each.endsWith("help"));
    }

    private static void collect(CommandLine command, String words, List<String> into) {
        into.add(words);
        command.getSubcommands().forEach((name, each) -> collect(each, (words + " " + name).strip(), into));
    }

    /** A list of verbs shows the first line of what each says of itself. */
    @ParameterizedTest
    @MethodSource("verbs")
    void aVerbIsListedWithAWholeSentence(String words) {
        CommandLine command = Flotilla.commandLine(new Terminal(
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
    void anUnknownVerbIsAMistakeWithAGuess() {
        Ran ran = Ran.flotilla("dem");

        assertThat(ran.exit()).isEqualTo(Exit.USAGE);
        assertThat(ran.err()).contains("unknown verb dem").contains("did you mean demo?");
        assertThat(Ran.flotilla("campaign", "pln").err()).contains("did you mean plan?");
    }

    @Test
    void allMistakesAreToldAtOnce() {
        Ran ran = Ran.flotilla("demo", "--machnes", "--sites", "many", "--kill", "everything");

        assertThat(ran.exit()).isEqualTo(Exit.USAGE);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("did you mean --machines?")
                .contains("many")
                .contains("everything");
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
                "completion fish",
                "campaign validate",
                "campaign validate no-such-file.yaml"
            })
    void wrongUsageIsToldAndNothingRuns(String line) {
        Ran ran = Ran.flotilla(line.split(" "));

        assertThat(ran.exit()).isEqualTo(Exit.USAGE);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isNotBlank().doesNotContain("\tat ").doesNotContain("Exception");
    }

    @Test
    void theScriptForTheShellKnowsTheVerbs() {
        Ran ran = Ran.flotilla("completion", "bash");

        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("complete").contains("simulate").contains("--fail-rate");
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(Ran.flotilla("version").out()).startsWith("flotilla ").doesNotContain("${");
        assertThat(Ran.flotilla("--version").out()).startsWith("flotilla ");
    }
}
