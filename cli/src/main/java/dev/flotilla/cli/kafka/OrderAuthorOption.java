package dev.flotilla.cli.kafka;

import picocli.CommandLine.Option;

/** Option that names the author of an order. */
public final class OrderAuthorOption {
    @Option(
            names = "--requested-by",
            paramLabel = "NAME",
            description = "Author of the order. Default: your user name.")
    private String author = System.getProperty("user.name", "unknown");

    public String author() {
        return author;
    }
}
