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

/** Collects what is wrong with a document while it is read, with the place of each. */
public final class ProblemCollector {
    /** A problem and the line it is on. */
    public record LocatedProblem(RejectionDetail rejection, int line) {}

    private final JsonPath jsonPath = new JsonPath();
    private final List<LocatedProblem> problems = new ArrayList<>();
    private final boolean strict;

    private ProblemCollector(boolean strict) {
        this.strict = strict;
    }

    /** For rows that our own processes write: a newer one may have added what is not known here. */
    public static ProblemCollector tolerant() {
        return new ProblemCollector(false);
    }

    /** For what people write, in files and in rows: what is not known is a typing error. */
    public static ProblemCollector strict() {
        return new ProblemCollector(true);
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

    /** Tells of a value at the current place. */
    public void add(RejectionReason reason, JsonValue at, String problem, @Nullable String hint) {
        String path = jsonPath.toString();
        add(new LocatedProblem(
                new RejectionDetail(reason, path, RedactedText.redact(path, at), problem, hint), at.line()));
    }

    /** Tells of a member of the current place that should be there. */
    public void addMissingField(JsonValue parent, String name, @Nullable String hint) {
        add(new LocatedProblem(
                new RejectionDetail(RejectionReason.MISSING_FIELD, jsonPath.child(name), "", "must be given", hint),
                parent.line()));
    }

    /** Tells of a member that nobody knows, where that is wrong. */
    void addUnknownField(String name, JsonValue value, Collection<String> known) {
        if (!strict) {
            return;
        }
        jsonPath.enter(name);
        String near = SpellingSuggestion.nearest(name, known);
        add(
                RejectionReason.BAD_VALUE,
                value,
                "stands under the unknown field \"" + RedactedText.redact(name) + "\"",
                near == null ? "known here: " + String.join(", ", known) : "did you mean " + near + "?");
        jsonPath.leave();
    }

    public void add(LocatedProblem problem) {
        if (problems.size() < DocumentLimits.PROBLEMS) {
            problems.add(problem);
        }
    }
}
