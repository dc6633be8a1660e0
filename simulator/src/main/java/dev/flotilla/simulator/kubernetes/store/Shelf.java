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
public final class Shelf {
    /** How many happenings are remembered; whoever is further behind begins anew. */
    public static final int REMEMBERED = 2048;

    private static final char AFTER_SLASH = '/' + 1;

    private final NavigableMap<String, Stored> objects = new TreeMap<>();
    private final Deque<Happening> past = new ArrayDeque<>();
    private final Set<Consumer<Happening>> watchers = new LinkedHashSet<>();
    private long forgotten;

    Shelf() {}

    @Nullable
    Stored get(ObjectRef ref) {
        return objects.get(ref.key());
    }

    /** Objects in order, of one namespace or, where that is empty, of all. */
    public Collection<Stored> in(String namespace) {
        NavigableMap<String, Stored> some =
                namespace.isEmpty() ? objects : objects.subMap(namespace + '/', true, namespace + AFTER_SLASH, false);
        return Collections.unmodifiableCollection(some.values());
    }

    void happen(Happening happening) {
        String key = happening.after().ref().key();
        if (happening.gone()) {
            objects.remove(key);
        } else {
            objects.put(key, happening.after());
        }
        past.add(happening);
        if (past.size() > REMEMBERED) {
            forgotten = past.remove().version();
        }
        for (Consumer<Happening> watcher : List.copyOf(watchers)) {
            watcher.accept(happening);
        }
    }

    /** The version after which everything is remembered. */
    public long forgotten() {
        return forgotten;
    }

    /** Everything after a version that is remembered. */
    public List<Happening> after(long version) {
        List<Happening> later = new ArrayList<>();
        for (Happening happening : past) {
            if (happening.version() > version) {
                later.add(happening);
            }
        }
        return later;
    }

    /** Forgets the past, as a real one does from time to time. */
    void forget(long version) {
        past.clear();
        forgotten = version;
    }

    /** Tells of each happening until that which it returns is run. */
    public Runnable watch(Consumer<Happening> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }
}
