package dev.flotilla.managementwatcher.view;

import java.util.EnumSet;
import java.util.Set;

/** Which kinds were listed completely, and which must not be listed. */
final class ListedKinds {
    private final Set<WatchedKind> complete = EnumSet.noneOf(WatchedKind.class);
    private final Set<WatchedKind> forbidden = EnumSet.noneOf(WatchedKind.class);

    void markComplete(WatchedKind watchedKind) {
        complete.add(watchedKind);
        forbidden.remove(watchedKind);
    }

    /** Marks a kind that must not be listed and never was. */
    void markForbidden(WatchedKind watchedKind) {
        complete.add(watchedKind);
        forbidden.add(watchedKind);
    }

    /** Whether every kind was listed completely, or must not be listed. */
    boolean areComplete() {
        return complete.size() == WatchedKind.values().length;
    }

    boolean isForbidden(WatchedKind watchedKind) {
        return forbidden.contains(watchedKind);
    }
}
