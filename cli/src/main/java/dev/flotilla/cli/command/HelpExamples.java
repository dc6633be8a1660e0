package dev.flotilla.cli.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Examples at the end of each help text; each one works when copied. */
public final class HelpExamples {
    private HelpExamples() {}

    public static void set(CommandLine command, String... examples) {
        List<String> lines = new ArrayList<>();
        for (String example : examples) {
            lines.add("  " + example);
        }
        command.getCommandSpec().usageMessage().footerHeading("%nExamples:%n").footer(lines.toArray(new String[0]));
    }
}
