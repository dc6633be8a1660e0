package dev.flotilla.cli.command;

import java.util.Arrays;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Exit codes in the help of commands that need Kafka. */
public final class HelpExitCodes {
    private static final String HEAD = "Exit codes: ";
    private static final String USUAL = HEAD + "0 done, 1 the result is negative, 2 wrong usage, 3 no broker reachable";

    private HelpExitCodes() {}

    /** Adds the usual exit codes to the commands of a group that have none of their own. */
    public static void addTo(CommandLine group) {
        for (CommandLine command : group.getSubcommands().values()) {
            UsageMessageSpec usage = command.getCommandSpec().usageMessage();
            if (hasOption(command, "--bootstrap")
                    && Arrays.stream(usage.description()).noneMatch(line -> line.contains(HEAD))) {
                String codes = USUAL + (hasOption(command, "--wait") ? " or no answer from an orchestrator." : ".");
                usage.description(Stream.concat(Arrays.stream(usage.description()), Stream.of(codes))
                        .toArray(String[]::new));
            }
        }
    }

    private static boolean hasOption(CommandLine command, String name) {
        return command.getCommandSpec().findOption(name) != null;
    }
}
