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

    /** A group with those of its verbs that are not in this version; the others are added to it. */
    public static CommandLine of(String name, String summary, Terminal terminal) {
        Group group = new Group(terminal);
        CommandLine command = group.self;
        command.getCommandSpec().name(name).usageMessage().description(summary);
        addLater(command, name, terminal);
        return command;
    }

    /** Makes known the verbs of a group that are not in this version, and lists them at the end of its help. */
    public static void addLater(CommandLine command, String group, Terminal terminal) {
        List<LaterVerb> later = LaterVerbs.in(group);
        for (LaterVerb verb : later) {
            command.addSubcommand(verb.name(), LaterCommand.of(verb, terminal));
        }
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        List<String> sections = new ArrayList<>(usage.sectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_COMMAND_LIST) + 1, LATER_SECTION);
        usage.sectionKeys(sections);
        usage.sectionMap().put(LATER_SECTION, help -> section(help, later));
    }

    private static String section(Help help, List<LaterVerb> later) {
        int longest = later.stream().mapToInt(verb -> verb.name().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        for (LaterVerb verb : later) {
            text.append(text.isEmpty() ? help.createHeading("%nNot in this version yet:%n") : "");
            text.append("  ").append(verb.name()).append(" ".repeat(longest - verb.name().length() + 2));
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
