package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.ZoneFlaws;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Unreadable;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.TrackVersion;
import dev.flotilla.schemas.row.ZoneRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads a document that people write, strictly. */
final class SpecificationFile {
    private SpecificationFile() {}

    /** A document of a form, in which nothing may name a time zone that is none. */
    static <T extends Fact> FileRead<T> read(String text, Codec<T> codec) {
        return switch (YamlReader.read(text, Bounds.SPECIFICATION_BYTES)) {
            case Parsed.Broken broken -> new FileRead.Bad<>(List.of(problem(broken.why())));
            case Parsed.Whole whole -> {
                Problems problems = Problems.strict();
                T value = codec.read(whole.tree(), problems);
                List<FileProblem> all = new ArrayList<>();
                whole.flaws().forEach(flaw -> all.add(problem(flaw)));
                problems.found().forEach(found -> all.add(problem(found)));
                if (value != null) {
                    ZoneFlaws.of(value, ZoneRules::isKnownHere).forEach(flaw -> all.add(at(flaw, whole)));
                    contradiction(value).forEach(flaw -> all.add(at(flaw, whole)));
                }
                // By line, as an editor shows them; those of one line stay as they were found.
                all.sort(Comparator.comparingInt(FileProblem::line));
                yield value == null || !all.isEmpty() ? new FileRead.Bad<>(all) : new FileRead.Good<>(value);
            }
        };
    }

    /** A campaign that was accepted by an earlier version may say it: it is looked for in what people write now. */
    private static List<Rejection> contradiction(Fact fact) {
        String problem = fact instanceof Campaign campaign ? TrackVersion.contradiction(campaign.spec()) : null;
        return fact instanceof Campaign campaign && problem != null
                ? List.of(new Rejection(
                        RejectionReason.CONTRADICTION,
                        "spec.target.expectedVersion",
                        String.valueOf(campaign.spec().expectedVersion()),
                        problem,
                        null))
                : List.of();
    }

    private static FileProblem at(Rejection flaw, Parsed.Whole whole) {
        return problem(new Problems.Found(flaw, TreePath.lineOf(whole.tree(), flaw.path())));
    }

    private static FileProblem problem(Unreadable why) {
        return new FileProblem(why.reason(), why.path(), why.line(), "", why.problem(), null);
    }

    private static FileProblem problem(Problems.Found found) {
        Rejection why = found.rejection();
        return new FileProblem(why.reason(), why.path(), found.line(), why.value(), why.problem(), why.hint());
    }
}
