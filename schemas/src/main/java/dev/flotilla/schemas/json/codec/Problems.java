package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.Place;
import dev.flotilla.schemas.json.tree.Shown;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with a document while it is read, with the place of each. */
public final class Problems {
    /** A problem and the line it is on. */
    public record Found(Rejection rejection, int line) {}

    private final Place place = new Place();
    private final List<Found> found = new ArrayList<>();
    private final boolean strict;

    private Problems(boolean strict) {
        this.strict = strict;
    }

    /** For rows that our own processes write: a newer one may have added what is not known here. */
    public static Problems tolerant() {
        return new Problems(false);
    }

    /** For what people write, in files and in rows: what is not known is a typing error. */
    public static Problems strict() {
        return new Problems(true);
    }

    public List<Found> found() {
        return List.copyOf(found);
    }

    public boolean none() {
        return found.isEmpty();
    }

    public List<Rejection> rejections() {
        return found.stream().map(Found::rejection).toList();
    }

    public void enter(String name) {
        place.enter(name);
    }

    public void enter(int index) {
        place.enter(index);
    }

    public void leave() {
        place.leave();
    }

    public void wrongType(Tree at, String wanted) {
        add(RejectionReason.WRONG_TYPE, at, "must be " + wanted, null);
    }

    public void badValue(Tree at, String problem, @Nullable String hint) {
        add(RejectionReason.BAD_VALUE, at, problem, hint);
    }

    /** Tells of a value at the current place. */
    public void add(RejectionReason reason, Tree at, String problem, @Nullable String hint) {
        String path = place.toString();
        add(new Found(new Rejection(reason, path, Shown.of(path, at), problem, hint), at.line()));
    }

    /** Tells of a member of the current place that should be there. */
    public void missing(Tree parent, String name, @Nullable String hint) {
        add(new Found(
                new Rejection(RejectionReason.MISSING_FIELD, place.child(name), "", "must be given", hint),
                parent.line()));
    }

    /** Tells of a member that nobody knows, where that is wrong. */
    void unknown(String name, Tree value, Collection<String> known) {
        if (!strict) {
            return;
        }
        place.enter(name);
        String near = Suggestion.nearest(name, known);
        add(
                RejectionReason.BAD_VALUE,
                value,
                "stands under the unknown field \"" + Shown.of(name) + "\"",
                near == null ? "known here: " + String.join(", ", known) : "did you mean " + near + "?");
        place.leave();
    }

    public void add(Found problem) {
        if (found.size() < Bounds.PROBLEMS) {
            found.add(problem);
        }
    }
}
