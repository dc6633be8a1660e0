package dev.flotilla.cli.terminal;

import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option {@code --output}, the same in all verbs that show something. */
public final class OutputOption {
    /** How the answer is written. */
    enum OutputFormat {
        table,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private OutputFormat outputFormat = OutputFormat.table;

    /** Writes the answer in the form that was asked for. */
    public void print(Terminal terminal, Supplier<List<String>> lines, Supplier<JsonValue> json) {
        switch (outputFormat) {
            case table -> lines.get().forEach(terminal.out()::println);
            case json -> terminal.out().print(JsonFormatter.format(json.get()));
        }
        terminal.out().flush();
    }
}
