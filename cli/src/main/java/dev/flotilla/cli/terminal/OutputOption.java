package dev.flotilla.cli.terminal;

import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * The option {@code --output}, shared by all commands that show or change something. Characters of rows that would garble a terminal or
 * forge a line, such as in a reason, are escaped.
 */
public final class OutputOption {
    /** Form of the output. */
    enum OutputFormat {
        table,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "Output format. One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private OutputFormat outputFormat = OutputFormat.table;

    /** Whether JSON is requested: stdout then has nothing else. */
    public boolean isJson() {
        return outputFormat == OutputFormat.json;
    }

    /** Prints the answer in the requested form. */
    public void print(Terminal terminal, Supplier<List<String>> lines, Supplier<JsonValue> json) {
        switch (outputFormat) {
            case table -> lines.get().forEach(line -> terminal.out().println(RedactedText.escape(line)));
            case json -> terminal.out().print(JsonFormatter.format(json.get()));
        }
        terminal.out().flush();
    }

    /** Prints a part of an answer that has no end: lines of a table, or JSON objects, one a line. */
    public void printLines(Terminal terminal, Supplier<List<String>> lines, Supplier<List<JsonValue>> json) {
        switch (outputFormat) {
            case table -> lines.get().forEach(line -> terminal.out().println(RedactedText.escape(line)));
            case json -> json.get().forEach(each -> terminal.out().println(JsonFormatter.line(each)));
        }
        terminal.out().flush();
    }
}
