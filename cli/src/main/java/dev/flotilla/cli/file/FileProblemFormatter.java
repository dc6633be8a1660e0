package dev.flotilla.cli.file;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.TextTable;
import dev.flotilla.schemas.json.file.FileProblem;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Formats the problems of a file as text and as JSON. */
public final class FileProblemFormatter {
    private FileProblemFormatter() {}

    public static List<String> lines(String file, List<FileProblem> problems) {
        List<String> lines = new ArrayList<>();
        lines.add(file + ": " + problems.size() + (problems.size() == 1 ? " problem" : " problems"));
        TextTable table = new TextTable("LINE", "PATH", "VALUE", "PROBLEM");
        for (FileProblem problem : problems) {
            table.row(
                    problem.line() > 0 ? Integer.toString(problem.line()) : "-",
                    problem.path().isEmpty() ? "-" : problem.path(),
                    problem.value().isEmpty() ? "-" : problem.value(),
                    problem.problem() + (problem.hint() == null ? "" : " (" + problem.hint() + ")"));
        }
        table.lines().forEach(line -> lines.add("  " + line));
        return lines;
    }

    public static JsonValue json(List<FileProblem> problems) {
        List<JsonValue> list = new ArrayList<>();
        for (FileProblem problem : problems) {
            JsonValue line = problem.line() > 0
                    ? new JsonValue.JsonInteger(problem.line(), JsonValue.NO_LINE)
                    : new JsonValue.JsonNull(JsonValue.NO_LINE);
            list.add(new JsonObjectReader.Builder()
                    .put("path", problem.path())
                    .put("line", line)
                    .put("value", problem.value())
                    .put("problem", problem.problem())
                    .put("hint", JsonFormatter.text(problem.hint()))
                    .build());
        }
        return JsonFormatter.list(list);
    }
}
