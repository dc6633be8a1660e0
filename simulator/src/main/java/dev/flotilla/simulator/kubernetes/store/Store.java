package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one cluster. What comes in over HTTP goes through {@link #create}, {@link #replace} and {@link #delete},
 * which refuse as a real one does; the simulation itself, which is the truth, uses {@link #put}, {@link #change} and
 * {@link #remove}.
 */
public final class Store {
    private final String name;
    private final InstantSource clock;
    private final Map<Resource, Shelf> shelves = new LinkedHashMap<>();
    private long version = 1;
    private long made;

    /**
     * An empty one.
     *
     * @param name from which its uids come, so that those of two clusters differ
     */
    public Store(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
        Resources.ALL.forEach(resource -> shelves.put(resource, new Shelf()));
    }

    /** The version of the latest write. */
    public long version() {
        return version;
    }

    public Set<Resource> resources() {
        return Collections.unmodifiableSet(shelves.keySet());
    }

    /** A resource that is served, by how paths name it. */
    public @Nullable Resource resource(String group, String version, String plural) {
        return Resources.find(shelves.keySet(), group, version, plural);
    }

    /** All objects of a resource, which is served from now on. */
    public Shelf shelf(Resource resource) {
        return shelves.computeIfAbsent(resource, absent -> new Shelf());
    }

    public @Nullable Stored get(ObjectRef ref) {
        return shelf(ref.resource()).get(ref);
    }

    /** Makes an object that must not be there yet. */
    public Outcome create(ObjectRef ref, JsonObjectReader object) {
        if (get(ref) != null) {
            return Refusal.exists(ref);
        }
        boolean statusIsTheServers = !ref.resource().equals(Resources.NODES);
        return begin(ref, statusIsTheServers ? Json.without(object, "status") : object);
    }

    /** Puts an object in the place of the one that is there, as far as a part of it goes. */
    public Outcome replace(ObjectRef ref, JsonObjectReader object, Part part) {
        Stored before = get(ref);
        if (before == null) {
            return Refusal.notFound(ref.resource(), ref.name());
        }
        Refusal stale = stale(before, Json.inner(object, "metadata"));
        return stale != null ? stale : becomes(before, part.of(object, before));
    }

    private static @Nullable Refusal stale(Stored before, JsonObjectReader asked) {
        String uid = Json.text(asked, "uid");
        String is = Json.text(before.tree(), "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(is)) {
            return Refusal.conflict(
                    before.ref(), "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + is);
        }
        String asking = Json.text(asked, "resourceVersion");
        return asking.isEmpty() || asking.equals(Long.toString(before.version()))
                ? null
                : Refusal.conflict(
                        before.ref(),
                        "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** Ends an object, at once or as soon as nothing holds it. */
    public Outcome delete(ObjectRef ref, JsonObjectReader preconditions) {
        Stored before = get(ref);
        if (before == null) {
            return Refusal.notFound(ref.resource(), ref.name());
        }
        Refusal stale = stale(before, preconditions);
        if (stale != null) {
            return stale;
        }
        if (Metadata.finalized(before.tree())) {
            return new Outcome.Removed(end(before, before.tree()));
        }
        return Metadata.ending(before.tree())
                ? before
                : write(before, Json.with(before.tree(), Metadata.time(now()), "metadata", "deletionTimestamp"));
    }

    /** Makes an object be there, whatever was. */
    public Stored put(ObjectRef ref, JsonObjectReader object) {
        Stored before = get(ref);
        return before == null ? begin(ref, object) : settled(becomes(before, object), before);
    }

    /** Changes an object, if it is there. */
    public @Nullable Stored change(ObjectRef ref, UnaryOperator<JsonObjectReader> change) {
        Stored before = get(ref);
        return before == null ? null : settled(becomes(before, change.apply(before.tree())), before);
    }

    /** Ends an object at once, whatever holds it. */
    public void remove(ObjectRef ref) {
        Stored before = get(ref);
        if (before != null) {
            end(before, before.tree());
        }
    }

    /** Forgets the past of everything: watchers that are behind begin anew. */
    public void compact() {
        shelves.values().forEach(shelf -> shelf.forget(version));
    }

    private static Stored settled(Outcome outcome, Stored before) {
        return outcome instanceof Stored stored ? stored : before;
    }

    private Stored begin(ObjectRef ref, JsonObjectReader object) {
        made++;
        String uid = UUID.nameUUIDFromBytes((name + "/" + made).getBytes(StandardCharsets.UTF_8))
                .toString();
        JsonObjectReader begun = Metadata.begin(object, ref, uid, now(), ++version);
        Stored stored = new Stored(ref, begun, version);
        shelf(ref.resource()).happen(new Happening(null, stored, false));
        return stored;
    }

    private Outcome becomes(Stored before, JsonObjectReader object) {
        JsonObjectReader after = Metadata.aged(Metadata.keep(object, before), before);
        if (Metadata.ending(after) && Metadata.finalized(after)) {
            return new Outcome.Removed(end(before, after));
        }
        return Json.same(after, before.tree()) ? before : write(before, after);
    }

    private Stored write(Stored before, JsonObjectReader after) {
        Stored stored = new Stored(before.ref(), Metadata.versioned(after, ++version), version);
        shelf(before.ref().resource()).happen(new Happening(before, stored, false));
        return stored;
    }

    private Stored end(Stored before, JsonObjectReader last) {
        Stored stored = new Stored(before.ref(), Metadata.versioned(last, ++version), version);
        shelf(before.ref().resource()).happen(new Happening(before, stored, true));
        return stored;
    }

    private Instant now() {
        return clock.instant();
    }
}
