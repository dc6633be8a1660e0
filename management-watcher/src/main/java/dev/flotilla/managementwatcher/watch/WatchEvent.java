package dev.flotilla.managementwatcher.watch;

import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.view.WatchedView;
import java.util.List;
import java.util.Set;

/** What a reflector saw of the objects of a kind. */
public sealed interface WatchEvent {
    WatchedKind kind();

    /** These objects exist as of a version: that of the list, which may be later than their own. */
    record ObjectsPresent(WatchedKind kind, List<WatchedView> views, long listVersion) implements WatchEvent {}

    /** This object was deleted; it is as it was when it was seen last. */
    record ObjectDeleted(WatchedKind kind, WatchedView view) implements WatchEvent {}

    /** The store of the kind was restored from a backup: earlier versions must not be compared with later ones. */
    record StoreRestored(WatchedKind kind) implements WatchEvent {}

    /** The kind must not be listed, and none of its objects is known. It is retried. */
    record KindForbidden(WatchedKind kind) implements WatchEvent {}

    /** The kind was listed completely: there are no other objects than these. */
    record KindListed(WatchedKind kind, Set<NamespacedName> keys, long version) implements WatchEvent {}
}
