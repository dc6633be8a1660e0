package dev.flotilla.cli.completion;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Kinds of names that the fleet's tables have. */
enum NameKind {
    CAMPAIGN,
    SITE,
    MACHINE;

    private static final String NAME = "NAME";

    /** The kind of names that an option or parameter takes; null if it takes something else. */
    static @Nullable NameKind of(ArgSpec argument) {
        CommandSpec command = argument.command();
        if (command == null || command.parent() == null || command.findOption("--bootstrap") == null) {
            return null;
        }
        if (argument instanceof OptionSpec option) {
            return ofOption(option);
        }
        if (argument.paramLabel().equals("MACHINE")) {
            return MACHINE;
        }
        if (!argument.paramLabel().equals(NAME)) {
            return null;
        }
        return switch (command.parent().name()) {
            case "campaign" -> CAMPAIGN;
            // The name of a site that is added is not there yet.
            case "site" -> command.name().equals("add") ? null : SITE;
            default -> null;
        };
    }

    private static @Nullable NameKind ofOption(OptionSpec option) {
        return switch (option.longestName()) {
            case "--site" -> SITE;
            case "--campaign" -> CAMPAIGN;
            default -> null;
        };
    }
}
