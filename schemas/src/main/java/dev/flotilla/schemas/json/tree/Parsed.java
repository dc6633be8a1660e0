package dev.flotilla.schemas.json.tree;

import java.util.List;

/** What came of reading a document. */
public sealed interface Parsed {

    /** A tree. It may still be marred by duplicate keys, of which the first one counts. */
    record Whole(Tree tree, List<Unreadable> flaws) implements Parsed {
        public Whole {
            flaws = List.copyOf(flaws);
        }
    }

    /** No tree at all. */
    record Broken(Unreadable why) implements Parsed {}
}
