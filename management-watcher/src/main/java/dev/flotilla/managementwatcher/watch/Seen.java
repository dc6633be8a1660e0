package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.schemas.id.ObjectKey;
import java.util.List;
import java.util.Set;

/** What was seen of the objects of a kind. */
public sealed interface Seen {
    Kind kind();

    /** These are there, as of a version: a list's, which may be later than their own. */
    record There(Kind kind, List<View> views, long asOf) implements Seen {}

    /** This one is gone. */
    record Gone(Kind kind, ObjectKey key, long version) implements Seen {}

    /** The store of the kind was restored from a backup: all its versions before count for nothing. */
    record SetBack(Kind kind) implements Seen {}

    /** The kind may not be listed, and nothing is known of it; it is tried again. */
    record Hidden(Kind kind) implements Seen {}

    /** The kind was listed to its end: there is nothing but these. */
    record Listed(Kind kind, Set<ObjectKey> keys, long version) implements Seen {}
}
