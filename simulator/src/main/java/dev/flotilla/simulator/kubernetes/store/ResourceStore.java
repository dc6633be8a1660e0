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

/** All objects of one resource, with the retained events that watches may ask for. */
public final class ResourceStore {
    /** The number of retained events; a watch that is further behind has to list again. */
    public static final int MAX_RETAINED_EVENTS = 2048;

    private static final char AFTER_SLASH = '/' + 1;

    private final NavigableMap<String, StoredObject> objects = new TreeMap<>();
    private final Deque<ObjectEvent> retainedEvents = new ArrayDeque<>();
    private final Set<Consumer<ObjectEvent>> watchers = new LinkedHashSet<>();
    private long droppedUpTo;

    ResourceStore() {}

    @Nullable
    StoredObject get(ObjectReference ref) {
        return objects.get(ref.key());
    }

    /** The objects in order, of one namespace, or of all if it is empty. */
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
        retainedEvents.add(objectEvent);
        if (retainedEvents.size() > MAX_RETAINED_EVENTS) {
            droppedUpTo = retainedEvents.remove().version();
        }
        for (Consumer<ObjectEvent> watcher : List.copyOf(watchers)) {
            watcher.accept(objectEvent);
        }
    }

    /** The version after which all events are retained. */
    public long droppedUpTo() {
        return droppedUpTo;
    }

    /** All events after a retained version. */
    public List<ObjectEvent> eventsAfter(long version) {
        List<ObjectEvent> later = new ArrayList<>();
        for (ObjectEvent objectEvent : retainedEvents) {
            if (objectEvent.version() > version) {
                later.add(objectEvent);
            }
        }
        return later;
    }

    /** Drops the retained events, as a real API server does from time to time. */
    void dropEventsBefore(long version) {
        retainedEvents.clear();
        droppedUpTo = version;
    }

    /** Sends every event to a watcher until the returned action is run. */
    public Runnable watch(Consumer<ObjectEvent> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }
}
