package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.ObjectKey;
import java.util.List;
import java.util.Set;

/** What was seen of the objects of a kind. */
public sealed interface WatchEvent {
    WatchedKind kind();

    /** These are there, as of a version: a list's, which may be later than their own. */
    record ObjectsPresent(WatchedKind kind, List<ObjectView> views, long asOf) implements WatchEvent {}

    /** This one is gone. */
    record ObjectGone(WatchedKind kind, ObjectKey key, long version) implements WatchEvent {}

    /** The store of the kind was restored from a backup: all its versions before count for nothing. */
    record StoreRestored(WatchedKind kind) implements WatchEvent {}

    /** The kind may not be listed, and nothing is known of it; it is tried again. */
    record KindForbidden(WatchedKind kind) implements WatchEvent {}

    /** The kind was listed to its end: there is nothing but these. */
    record KindListed(WatchedKind kind, Set<ObjectKey> keys, long version) implements WatchEvent {}
}
