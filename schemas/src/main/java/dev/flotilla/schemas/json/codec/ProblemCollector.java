package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonPath;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a document while it is decoded, each with its path. */
public final class ProblemCollector {
    /** A problem and the line it is on. */
    public record LocatedProblem(RejectionDetail rejection, int line) {}

    private final JsonPath jsonPath = new JsonPath();
    private final List<LocatedProblem> problems = new ArrayList<>();
    private UnknownFields unknownFields;

    /** What unknown fields are. */
    enum UnknownFields {
        IGNORED,
        TYPING_ERRORS,
        OF_A_NEWER_VERSION
    }

    private ProblemCollector(UnknownFields unknownFields) {
        this.unknownFields = unknownFields;
    }

    /** Returns a collector that ignores unknown fields, for rows of Flotilla's processes: a newer version may have added fields. */
    public static ProblemCollector tolerant() {
        return new ProblemCollector(UnknownFields.IGNORED);
    }

    /** Returns a collector that rejects unknown fields, for files and rows that people write: they are typing errors. */
    public static ProblemCollector strict() {
        return new ProblemCollector(UnknownFields.TYPING_ERRORS);
    }

    public List<LocatedProblem> problems() {
        return List.copyOf(problems);
    }

    public boolean none() {
        return problems.isEmpty();
    }

    public List<RejectionDetail> rejections() {
        return problems.stream().map(LocatedProblem::rejection).toList();
    }

    public void enter(String name) {
        jsonPath.enter(name);
    }

    public void enter(int index) {
        jsonPath.enter(index);
    }

    public void leave() {
        jsonPath.leave();
    }

    public void addWrongType(JsonValue at, String wanted) {
        add(RejectionReason.WRONG_TYPE, at, "must be " + wanted, null);
    }

    public void addBadValue(JsonValue at, String problem, @Nullable String hint) {
        add(RejectionReason.BAD_VALUE, at, problem, hint);
    }

    /** Adds a problem of the value at the current path. */
    public void add(RejectionReason reason, JsonValue at, String problem, @Nullable String hint) {
        String path = jsonPath.toString();
        add(new LocatedProblem(
                new RejectionDetail(reason, path, RedactedText.redact(path, at), problem, hint), at.line()));
    }

    /** Adds the problem that a required member of the current object is missing. */
    public void addMissingField(JsonValue parent, String name, @Nullable String hint) {
        add(new LocatedProblem(
                new RejectionDetail(RejectionReason.MISSING_FIELD, jsonPath.child(name), "", "must be given", hint),
                parent.line()));
    }

    /** Sets what unknown fields are from here on, and returns what they were. */
    UnknownFields switchUnknownFields(UnknownFields next) {
        UnknownFields before = unknownFields;
        unknownFields = next;
        return before;
    }

    /** Adds the problem that a member is unknown, unless it is ignored. */
    void addUnknownField(String name, JsonValue value, Collection<String> known) {
        if (unknownFields == UnknownFields.IGNORED) {
            return;
        }
        jsonPath.enter(name);
        if (unknownFields == UnknownFields.OF_A_NEWER_VERSION) {
            add(RejectionReason.FUTURE_VERSION, value, "is in a field that this version does not know", null);
        } else {
            String near = SpellingSuggestion.nearest(name, known);
            add(
                    RejectionReason.BAD_VALUE,
                    value,
                    "is in a field that does not exist",
                    near == null ? "known fields: " + String.join(", ", known) : "did you mean " + near + "?");
        }
        jsonPath.leave();
    }

    public void add(LocatedProblem problem) {
        if (problems.size() < DocumentLimits.PROBLEMS) {
            problems.add(problem);
        }
    }
}
