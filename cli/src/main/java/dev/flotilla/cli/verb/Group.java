package dev.flotilla.cli.verb;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/** A verb that only has verbs under it. By itself it shows them. */
@Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "VERB")
public final class Group implements Callable<Integer> {
    private static final String LATER_SECTION = "later";

    private final Terminal terminal;
    private CommandLine self = new CommandLine(this);

    private Group(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command itself, with what stands under it and is not in this version. */
    public static CommandLine root(String name, String summary, Terminal terminal) {
        CommandLine command = plain(name, summary, terminal);
        addLater(command, LaterVerbs.in(""), terminal);
        return command;
    }

    /** A group with those of its verbs that are not in this version; the others are added to it. */
    public static CommandLine of(String name, String summary, Terminal terminal) {
        CommandLine command = plain(name, summary, terminal);
        addLater(command, LaterVerbs.in(name), terminal);
        return command;
    }

    private static CommandLine plain(String name, String summary, Terminal terminal) {
        CommandLine command = new Group(terminal).self;
        command.getCommandSpec().name(name).usageMessage().description(summary);
        return command;
    }

    private static void addLater(CommandLine command, List<LaterVerb> later, Terminal terminal) {
        for (LaterVerb verb : later) {
            command.addSubcommand(
                    verb.name(), verb.isGroup() ? group(verb, terminal) : LaterCommand.of(verb, terminal));
        }
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        List<String> sections = new ArrayList<>(usage.sectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_COMMAND_LIST) + 1, LATER_SECTION);
        usage.sectionKeys(sections);
        usage.sectionMap().put(LATER_SECTION, help -> section(help, later));
    }

    /** A group of which no verb is there yet. */
    private static CommandLine group(LaterVerb verb, Terminal terminal) {
        CommandLine group = of(verb.name(), verb.summary(), terminal);
        group.getCommandSpec().usageMessage().hidden(true);
        Examples.set(group, verb.example());
        return group;
    }

    private static String section(Help help, List<LaterVerb> later) {
        int longest =
                later.stream().mapToInt(verb -> verb.name().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (LaterVerb verb : later) {
            text.append(text.isEmpty() ? help.createHeading("%nNot in this version yet:%n") : "");
            text.append("  ")
                    .append(verb.name())
                    .append(" ".repeat(longest - verb.name().length() + 2));
            text.append(verb.summary()).append(System.lineSeparator());
        }
        return text.toString();
    }

    @Override
    public Integer call() {
        self.usage(terminal.out(), self.getColorScheme());
        terminal.out().flush();
        return Exit.DONE;
    }
}
