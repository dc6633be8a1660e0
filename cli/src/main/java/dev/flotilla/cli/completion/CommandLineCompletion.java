package dev.flotilla.cli.completion;

import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Completes a command line that is being typed. The output is that of Cobra's programs, which kubectl expects of its plugins: one
 * candidate a line, then a colon with what the shell shall do.
 */
public final class CommandLineCompletion {
    /** The word with which shells and kubectl ask for candidates. */
    public static final String COMMAND = "__complete";

    /** The shell adds no space, because the word goes on. */
    private static final int NO_SPACE = 2;

    /** The shell offers no files. */
    private static final int NO_FILES = 4;

    private final CommandLine root;
    private final Terminal terminal;

    /** Candidates, and what the shell shall do. */
    private record Candidates(List<String> lines, int directive) {
        static final Candidates NONE = new Candidates(List.of(), NO_FILES);
        static final Candidates FILES = new Candidates(List.of(), 0);
    }

    public CommandLineCompletion(CommandLine root, Terminal terminal) {
        this.root = root;
        this.terminal = terminal;
    }

    /**
     * Prints the candidates for the last word.
     *
     * @param words the words after the name of the program; the last may be empty
     */
    public int print(List<String> words) {
        String typed = words.isEmpty() ? "" : words.getLast();
        List<String> before = words.isEmpty() ? List.of() : words.subList(0, words.size() - 1);
        Candidates candidates = find(before, typed);
        candidates.lines().forEach(terminal.out()::println);
        terminal.out().println(":" + candidates.directive());
        return ExitCode.DONE;
    }

    private Candidates find(List<String> before, String typed) {
        ParseResult parsed = root.parseArgs(before.toArray(new String[0]));
        while (parsed.hasSubcommand()) {
            parsed = parsed.subcommand();
        }
        CommandSpec command = parsed.commandSpec();
        OptionSpec open = before.isEmpty() ? null : command.findOption(before.getLast());
        if (open != null && open.arity().min() > 0) {
            return values(command, open, typed);
        }
        int equals = typed.indexOf('=');
        if (typed.startsWith("--") && equals > 0) {
            OptionSpec option = command.findOption(typed.substring(0, equals));
            return option == null ? Candidates.NONE : values(command, option, typed.substring(equals + 1));
        }
        if (typed.startsWith("-")) {
            return new Candidates(options(command, typed), NO_FILES);
        }
        if (!command.subcommands().isEmpty()) {
            return new Candidates(subcommands(command, typed), NO_FILES);
        }
        PositionalParamSpec parameter = parameter(command, parsed);
        return parameter == null ? Candidates.NONE : values(command, parameter, typed);
    }

    private static @Nullable PositionalParamSpec parameter(CommandSpec command, ParseResult parsed) {
        int given = parsed.matchedPositionals().stream()
                .mapToInt(each -> each.originalStringValues().size())
                .sum();
        return command.positionalParameters().stream()
                .filter(each -> each.index().contains(given))
                .findFirst()
                .orElse(null);
    }

    private static List<String> subcommands(CommandSpec command, String typed) {
        return command.subcommands().entrySet().stream()
                .filter(each -> each.getKey().startsWith(typed)
                        && !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(each -> each.getKey() + "\t" + summary(each.getValue().getCommandSpec()))
                .sorted()
                .toList();
    }

    private static String summary(CommandSpec command) {
        return Stream.of(command.usageMessage().header(), command.usageMessage().description())
                .flatMap(Arrays::stream)
                .findFirst()
                .orElse("");
    }

    private static List<String> options(CommandSpec command, String typed) {
        List<String> names = new ArrayList<>();
        for (OptionSpec option : command.options()) {
            if (!option.hidden() && option.longestName().startsWith(typed)) {
                names.add(option.longestName());
            }
        }
        return names.stream().sorted().toList();
    }

    private Candidates values(CommandSpec command, ArgSpec argument, String typed) {
        NameKind kind = NameKind.of(argument);
        KafkaConnectionOption connection = KafkaConnectionOption.find(command);
        if (kind != null && connection != null) {
            List<String> names = new FleetNames(connection, silent()).find(kind, typed);
            boolean goesOn = !names.isEmpty() && names.stream().allMatch(name -> name.endsWith("/"));
            return new Candidates(names, goesOn ? NO_FILES | NO_SPACE : NO_FILES);
        }
        if (argument.completionCandidates() != null) {
            List<String> known = new ArrayList<>();
            argument.completionCandidates().forEach(known::add);
            return new Candidates(
                    known.stream().filter(each -> each.startsWith(typed)).toList(), NO_FILES);
        }
        boolean takesFiles = argument.paramLabel().contains("FILE")
                || argument.paramLabel().contains("DIR")
                || Objects.equals(argument.auxiliaryTypes()[0], Path.class);
        return takesFiles ? Candidates.FILES : Candidates.NONE;
    }

    private Terminal silent() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Terminal(nowhere, nowhere, 0, false, false, null, terminal.environment());
    }
}
