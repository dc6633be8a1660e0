package dev.flotilla.cli.machine;

import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.core.explain.Explanation;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An explanation, for a person and for a program. */
final class Explained {
    private Explained() {}

    static List<String> lines(Explanation explanation, @Nullable Seen seen) {
        List<String> lines = new ArrayList<>();
        lines.add(explanation.machine() + ": " + explanation.state()
                + (explanation.driver() == null ? "" : ", for " + explanation.driver()));
        if (!explanation.closed().isEmpty()) {
            TextTable table = new TextTable("CLOSED GATE", "HAVE", "NEED", "SAYS");
            explanation
                    .closed()
                    .forEach(closed -> table.row(closed.gate().label(), closed.have(), closed.need(), closed.says()));
            lines.addAll(table.lines());
        }
        lines.add("Next: " + explanation.next());
        if (seen != null) {
            lines.addAll(seen.lines());
        }
        return lines;
    }

    static JsonObjectReader json(Explanation explanation, @Nullable Seen seen) {
        List<Closed> closed = explanation.closed();
        return new JsonObjectReader.Builder()
                .put("machine", explanation.machine().toString())
                .put("state", explanation.state())
                .put(
                        "driver",
                        JsonText.text(
                                explanation.driver() == null
                                        ? null
                                        : explanation.driver().toString()))
                .put(
                        "gate",
                        JsonText.text(
                                closed.isEmpty() ? null : closed.get(0).gate().label()))
                .put(
                        "closed",
                        JsonText.list(closed.stream().map(Explained::json).toList()))
                .put("next", explanation.next())
                .put("seen", Seen.json(seen))
                .build();
    }

    private static JsonValue json(Closed closed) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("gate", closed.gate().label())
                .put("have", closed.have())
                .put("need", closed.need())
                .put("says", closed.says());
        if (closed.opens() != null) {
            json.put("opens", closed.opens().toString());
        }
        return json.build();
    }
}
