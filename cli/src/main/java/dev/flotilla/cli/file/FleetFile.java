package dev.flotilla.cli.file;

import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.json.file.FileProblem;
import dev.flotilla.schemas.json.file.FileRead;
import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.json.tree.Unreadable;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A described fleet as people write it: {@code kind: Fleet}, YAML or JSON. */
public final class FleetFile {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private FleetFile() {}

    /** The fleet that a file's text describes, or everything that is wrong with it. */
    public static FileRead<FleetDescription> read(String text) {
        return switch (YamlReader.read(text, Bounds.SPECIFICATION_BYTES)) {
            case Parsed.Broken broken -> new FileRead.Bad<>(List.of(problem(broken.why())));
            case Parsed.Whole whole -> {
                Problems problems = Problems.strict();
                FleetDescription fleet = FleetCodec.FLEET.read(whole.tree(), problems);
                List<FileProblem> all = new ArrayList<>();
                whole.flaws().forEach(flaw -> all.add(problem(flaw)));
                problems.found().forEach(found -> all.add(problem(found)));
                all.sort(Comparator.comparingInt(FileProblem::line));
                yield fleet == null || !all.isEmpty() ? new FileRead.Bad<>(all) : new FileRead.Good<>(fleet);
            }
        };
    }

    /** The form of such a file, for editors and whoever else checks it. */
    public static Tree schema() {
        Obj.Builder schema = new Obj.Builder().put("$schema", DIALECT);
        Obj form = FleetCodec.FLEET.schema();
        for (int i = 0; i < form.size(); i++) {
            schema.put(form.name(i), form.value(i));
        }
        return schema.build();
    }

    private static FileProblem problem(Unreadable why) {
        return new FileProblem(why.reason(), why.path(), why.line(), "", why.problem(), null);
    }

    private static FileProblem problem(Problems.Found found) {
        Rejection why = found.rejection();
        return new FileProblem(why.reason(), why.path(), found.line(), why.value(), why.problem(), why.hint());
    }
}
