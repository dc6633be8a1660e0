package dev.flotilla.schemas.json.tree;

import java.util.List;

/**
 * A parsed value. A tree of our own rather than a library's: it keeps the line of each value, refuses nothing by itself,
 * and JSON and YAML look alike in it.
 */
public sealed interface Tree permits Tree.Arr, Tree.Text, Tree.Whole, Tree.Inexact, Tree.Flag, Tree.Nothing, Obj {
    /** The line of a value that comes from no file. */
    int NO_LINE = 0;

    /** The line on which the value begins, from 1, or {@link #NO_LINE}. */
    int line();

    /** A list. */
    record Arr(List<Tree> items, int line) implements Tree {
        public Arr {
            items = List.copyOf(items);
        }
    }

    /** A text. */
    record Text(String value, int line) implements Tree {}

    /** A whole number. */
    record Whole(long value, int line) implements Tree {}

    /** A number that is not whole, or too large: no field takes one, so it is kept only to be shown. */
    record Inexact(String written, int line) implements Tree {}

    /** A truth value. */
    record Flag(boolean value, int line) implements Tree {}

    /** A null. */
    record Nothing(int line) implements Tree {}
}
