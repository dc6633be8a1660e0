package dev.flotilla.cli.terminal;

import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option {@code --output}, the same in all verbs that show something. */
public final class Output {
    /** How the answer is written. */
    enum Form {
        table,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private Form form = Form.table;

    /** Writes the answer in the form that was asked for. */
    public void tell(Terminal terminal, Supplier<List<String>> lines, Supplier<JsonValue> json) {
        switch (form) {
            case table -> lines.get().forEach(terminal.out()::println);
            case json -> terminal.out().print(JsonText.of(json.get()));
        }
        terminal.out().flush();
    }
}
