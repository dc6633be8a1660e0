package dev.flotilla.cli;

import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The name by which this program was called, in the help and in the examples of all commands. */
final class CalledName {
    private static final String USUAL = "flotilla ";

    private CalledName() {}

    static void apply(CommandLine root, String name) {
        root.getCommandSpec().name(name);
        applyToExamples(root, name + " ");
    }

    private static void applyToExamples(CommandLine command, String name) {
        CommandSpec spec = command.getCommandSpec();
        spec.usageMessage()
                .footer(Arrays.stream(spec.usageMessage().footer())
                        .map(line -> line.replaceFirst("^( *)" + USUAL, "$1" + name))
                        .toArray(String[]::new));
        command.getSubcommands().values().forEach(each -> applyToExamples(each, name));
    }
}
