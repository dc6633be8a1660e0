package dev.flotilla.cli.command;

import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Finds all problems of a command line and suggests what was meant. */
public final class UsageErrors {
    /** Commands that a later version has. */
    private static final Set<String> PLANNED =
            Set.of("flotilla campaign rehearse", "flotilla campaign undo", "flotilla journal anchor", "flotilla soak");

    private UsageErrors() {}

    /** Finds the problems of a parsed command line, in its order; empty if there are none. */
    public static List<String> findProblems(ParseResult parsed) {
        List<String> problems = new ArrayList<>();
        ParseResult each = parsed;
        while (each != null) {
            for (Exception error : each.errors()) {
                if (error instanceof ParameterException wrong) {
                    problems.addAll(findProblems(wrong));
                }
            }
            if (!problems.isEmpty() && each.commandSpec().userObject() instanceof OptionRangeCheck command) {
                problems.addAll(command.findOptionsOutOfRange());
            }
            each = each.hasSubcommand() ? each.subcommand() : null;
        }
        return problems.stream().distinct().toList();
    }

    /** Full name of the called command, such as {@code flotilla campaign validate}. */
    public static String commandName(ParseResult parsed) {
        ParseResult each = parsed;
        while (each.hasSubcommand()) {
            each = each.subcommand();
        }
        return each.commandSpec().qualifiedName();
    }

    private static List<String> findProblems(ParameterException wrong) {
        if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
            return List.of(withoutJavaTypes(oneLine(String.valueOf(wrong.getMessage()))));
        }
        List<String> problems = new ArrayList<>();
        boolean verbs = !wrong.getCommandLine().getSubcommands().isEmpty();
        for (String argument : unmatched.getUnmatched()) {
            if (argument.startsWith("-")) {
                problems.add("unknown option " + argument + suggestion(argument, optionNames(wrong.getCommandLine())));
            } else if (verbs) {
                problems.add(describeUnknownCommand(argument, wrong.getCommandLine()));
                // Arguments after an unknown command belong to it.
                break;
            } else {
                problems.add("one argument too many: " + argument);
            }
        }
        return problems;
    }

    private static String describeUnknownCommand(String typed, CommandLine group) {
        // As a plugin of kubectl it has another name.
        String name = group.getCommandSpec().qualifiedName().replaceFirst("^kubectl ", "");
        return PLANNED.contains(name + " " + typed)
                ? typed + " is not in this version"
                : "unknown command " + typed + suggestCommand(typed, group);
    }

    /** Suggests a command of this group with a similar name, else those of this name in groups below. */
    private static String suggestCommand(String typed, CommandLine group) {
        String near = suggestion(typed, commandNames(group));
        List<String> below = group.getSubcommands().entrySet().stream()
                .filter(each -> each.getValue().getSubcommands().containsKey(typed))
                .map(each -> each.getKey() + " " + typed)
                .toList();
        return !near.isEmpty() || below.isEmpty() ? near : "; did you mean " + String.join(" or ", below) + "?";
    }

    private static String suggestion(String typed, List<String> known) {
        String bare = typed.contains("=") ? typed.substring(0, typed.indexOf('=')) : typed;
        String near = SpellingSuggestion.nearest(bare, known);
        return near == null ? "" : "; did you mean " + near + "?";
    }

    private static List<String> optionNames(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        return spec.options().stream()
                .flatMap(option -> List.of(option.names()).stream())
                .toList();
    }

    private static List<String> commandNames(CommandLine command) {
        return new ArrayList<>(command.getSubcommands().keySet());
    }

    /** Names a type as people do: picocli names Java's. */
    private static String withoutJavaTypes(String message) {
        return message.replaceFirst("' is not an? (int|long)$", "' is not a whole number")
                .replaceFirst("' is not a double$", "' is not a number");
    }

    private static String oneLine(String message) {
        return message.lines().findFirst().orElse(message);
    }
}
