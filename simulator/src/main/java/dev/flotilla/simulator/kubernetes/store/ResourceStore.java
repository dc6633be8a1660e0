package dev.flotilla.simulator.kubernetes.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All objects of one resource, with as much of their past as watchers may ask for. */
public final class ResourceStore {
    /** How many happenings are remembered; whoever is further behind begins anew. */
    public static final int REMEMBERED = 2048;

    private static final char AFTER_SLASH = '/' + 1;

    private final NavigableMap<String, StoredObject> objects = new TreeMap<>();
    private final Deque<ObjectEvent> past = new ArrayDeque<>();
    private final Set<Consumer<ObjectEvent>> watchers = new LinkedHashSet<>();
    private long forgotten;

    ResourceStore() {}

    @Nullable
    StoredObject get(ObjectReference ref) {
        return objects.get(ref.key());
    }

    /** Objects in order, of one namespace or, where that is empty, of all. */
    public Collection<StoredObject> objectsInNamespace(String namespace) {
        NavigableMap<String, StoredObject> some =
                namespace.isEmpty() ? objects : objects.subMap(namespace + '/', true, namespace + AFTER_SLASH, false);
        return Collections.unmodifiableCollection(some.values());
    }

    void recordEvent(ObjectEvent objectEvent) {
        String key = objectEvent.after().ref().key();
        if (objectEvent.deleted()) {
            objects.remove(key);
        } else {
            objects.put(key, objectEvent.after());
        }
        past.add(objectEvent);
        if (past.size() > REMEMBERED) {
            forgotten = past.remove().version();
        }
        for (Consumer<ObjectEvent> watcher : List.copyOf(watchers)) {
            watcher.accept(objectEvent);
        }
    }

    /** The version after which everything is remembered. */
    public long forgotten() {
        return forgotten;
    }

    /** Everything after a version that is remembered. */
    public List<ObjectEvent> eventsAfter(long version) {
        List<ObjectEvent> later = new ArrayList<>();
        for (ObjectEvent objectEvent : past) {
            if (objectEvent.version() > version) {
                later.add(objectEvent);
            }
        }
        return later;
    }

    /** Forgets the past, as a real one does from time to time. */
    void dropEventsBefore(long version) {
        past.clear();
        forgotten = version;
    }

    /** Tells of each happening until that which it returns is run. */
    public Runnable watch(Consumer<ObjectEvent> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }
}
