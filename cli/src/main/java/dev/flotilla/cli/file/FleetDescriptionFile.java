package dev.flotilla.cli.file;

import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.file.FileProblem;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseError;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reader of a fleet description: {@code kind: Fleet}, YAML or JSON. */
public final class FleetDescriptionFile {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private FleetDescriptionFile() {}

    /** Reads a file's text. Returns the fleet, or all problems. */
    public static FileReadResult<FleetDescription> read(String text) {
        return switch (YamlReader.read(text, DocumentLimits.SPECIFICATION_BYTES)) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                new FileReadResult.InvalidFile<>(List.of(problem(unparsableDocument.error())));
            case ParseResult.ParsedDocument parsedDocument -> {
                ProblemCollector problems = ProblemCollector.strict();
                FleetDescription fleet = FleetDescriptionCodec.FLEET.read(parsedDocument.value(), problems);
                List<FileProblem> all = new ArrayList<>();
                parsedDocument.errors().forEach(flaw -> all.add(problem(flaw)));
                problems.problems().forEach(found -> all.add(problem(found)));
                all.sort(Comparator.comparingInt(FileProblem::line));
                yield fleet == null || !all.isEmpty()
                        ? new FileReadResult.InvalidFile<>(all)
                        : new FileReadResult.ValidFile<>(fleet);
            }
        };
    }

    /** JSON Schema of such a file, for editors and other checks. */
    public static JsonValue schema() {
        JsonObjectReader.Builder schema = new JsonObjectReader.Builder().put("$schema", DIALECT);
        JsonObjectReader form = FleetDescriptionCodec.FLEET.schema();
        for (int i = 0; i < form.size(); i++) {
            schema.put(form.name(i), form.value(i));
        }
        return schema.build();
    }

    private static FileProblem problem(ParseError why) {
        return new FileProblem(why.reason(), why.path(), why.line(), "", why.problem(), null);
    }

    private static FileProblem problem(ProblemCollector.LocatedProblem found) {
        RejectionDetail why = found.rejection();
        return new FileProblem(why.reason(), why.path(), found.line(), why.value(), why.problem(), why.hint());
    }
}
