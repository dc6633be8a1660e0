package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.json.TimeZoneValidator;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.ParseError;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.ChannelTrackVersion;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads a manifest: unknown fields and unknown time zones are problems. */
final class SpecificationFileReader {
    private SpecificationFileReader() {}

    /** Reads a manifest of one kind. */
    static <T extends RowChange> FileReadResult<T> read(String text, JsonCodec<T> codec) {
        return switch (YamlReader.read(text, DocumentLimits.SPECIFICATION_BYTES)) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                new FileReadResult.InvalidFile<>(List.of(toFileProblem(unparsableDocument.error())));
            case ParseResult.ParsedDocument parsedDocument -> {
                ProblemCollector problems = ProblemCollector.strict();
                T value = codec.read(parsedDocument.value(), problems);
                List<FileProblem> all = new ArrayList<>();
                parsedDocument.errors().forEach(flaw -> all.add(toFileProblem(flaw)));
                problems.problems().forEach(found -> all.add(toFileProblem(found)));
                if (value != null) {
                    TimeZoneValidator.findProblems(value, TimeZoneRules::isKnownToJvm)
                            .forEach(flaw -> all.add(toFileProblem(flaw, parsedDocument)));
                    findContradiction(value).forEach(flaw -> all.add(toFileProblem(flaw, parsedDocument)));
                }
                // Sorted by line; the problems of one line keep their order.
                all.sort(Comparator.comparingInt(FileProblem::line));
                yield value == null || !all.isEmpty()
                        ? new FileReadResult.InvalidFile<>(all)
                        : new FileReadResult.ValidFile<>(value);
            }
        };
    }

    /** Adds the problem of an expected version outside the target's track. Rows may have one, because earlier versions accepted it. */
    private static List<RejectionDetail> findContradiction(RowChange rowChange) {
        String problem = rowChange instanceof Campaign campaign
                ? ChannelTrackVersion.describeContradiction(campaign.spec())
                : null;
        return rowChange instanceof Campaign campaign && problem != null
                ? List.of(new RejectionDetail(
                        RejectionReason.CONTRADICTION,
                        "spec.target.expectedVersion",
                        String.valueOf(campaign.spec().target().expectedVersion()),
                        problem,
                        null))
                : List.of();
    }

    private static FileProblem toFileProblem(RejectionDetail flaw, ParseResult.ParsedDocument parsedDocument) {
        return toFileProblem(new ProblemCollector.LocatedProblem(
                flaw, DocumentLineFinder.lineOf(parsedDocument.value(), flaw.path())));
    }

    private static FileProblem toFileProblem(ParseError why) {
        return new FileProblem(why.reason(), why.path(), why.line(), "", why.problem(), null);
    }

    private static FileProblem toFileProblem(ProblemCollector.LocatedProblem found) {
        RejectionDetail why = found.rejection();
        return new FileProblem(why.reason(), why.path(), found.line(), why.value(), why.problem(), why.hint());
    }
}
