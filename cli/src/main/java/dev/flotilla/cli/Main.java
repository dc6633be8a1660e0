package dev.flotilla.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of {@code flotilla}. */
@Command(
        name = "flotilla",
        mixinStandardHelpOptions = true,
        version = "flotilla 0.1.0-SNAPSHOT",
        description = "Upgrades the machines of a whole fleet of Kubernetes clusters in place.")
public final class Main {

    @Command(name = "version", description = "Prints the version.")
    void version() {
        System.out.println("flotilla 0.1.0-SNAPSHOT");
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
