package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
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
public final class ClusterObjectStore {
    private final String name;
    private final InstantSource clock;
    private final Map<ApiResource, ResourceStore> shelves = new LinkedHashMap<>();
    private long version = 1;
    private long made;

    /**
     * An empty one.
     *
     * @param name from which its uids come, so that those of two clusters differ
     */
    public ClusterObjectStore(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
        BuiltInResources.ALL.forEach(resource -> shelves.put(resource, new ResourceStore()));
    }

    /** The version of the latest write. */
    public long version() {
        return version;
    }

    public Set<ApiResource> resources() {
        return Collections.unmodifiableSet(shelves.keySet());
    }

    /** A resource that is served, by how paths name it. */
    public @Nullable ApiResource resource(String group, String version, String plural) {
        return BuiltInResources.find(shelves.keySet(), group, version, plural);
    }

    /** All objects of a resource, which is served from now on. */
    public ResourceStore shelf(ApiResource resource) {
        return shelves.computeIfAbsent(resource, absent -> new ResourceStore());
    }

    public @Nullable StoredObject get(ObjectReference ref) {
        return shelf(ref.resource()).get(ref);
    }

    /** Makes an object that must not be there yet. */
    public WriteResult create(ObjectReference ref, JsonObjectReader object) {
        if (get(ref) != null) {
            return ApiError.exists(ref);
        }
        boolean statusIsTheServers = !ref.resource().equals(BuiltInResources.NODES);
        return begin(ref, statusIsTheServers ? ImmutableJson.without(object, "status") : object);
    }

    /** Puts an object in the place of the one that is there, as far as a part of it goes. */
    public WriteResult replace(ObjectReference ref, JsonObjectReader object, WriteScope writeScope) {
        StoredObject before = get(ref);
        if (before == null) {
            return ApiError.notFound(ref.resource(), ref.name());
        }
        ApiError stale = stale(before, ImmutableJson.inner(object, "metadata"));
        return stale != null ? stale : becomes(before, writeScope.applyWrite(object, before));
    }

    private static @Nullable ApiError stale(StoredObject before, JsonObjectReader asked) {
        String uid = ImmutableJson.textAt(asked, "uid");
        String is = ImmutableJson.textAt(before.tree(), "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(is)) {
            return ApiError.conflict(
                    before.ref(), "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + is);
        }
        String asking = ImmutableJson.textAt(asked, "resourceVersion");
        return asking.isEmpty() || asking.equals(Long.toString(before.version()))
                ? null
                : ApiError.conflict(
                        before.ref(),
                        "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** Ends an object, at once or as soon as nothing holds it. */
    public WriteResult delete(ObjectReference ref, JsonObjectReader preconditions) {
        StoredObject before = get(ref);
        if (before == null) {
            return ApiError.notFound(ref.resource(), ref.name());
        }
        ApiError stale = stale(before, preconditions);
        if (stale != null) {
            return stale;
        }
        if (ObjectMetadata.finalized(before.tree())) {
            return new WriteResult.RemovedObject(end(before, before.tree()));
        }
        return ObjectMetadata.ending(before.tree())
                ? before
                : write(
                        before,
                        ImmutableJson.with(before.tree(), ObjectMetadata.time(now()), "metadata", "deletionTimestamp"));
    }

    /** Makes an object be there, whatever was. */
    public StoredObject put(ObjectReference ref, JsonObjectReader object) {
        StoredObject before = get(ref);
        return before == null ? begin(ref, object) : settled(becomes(before, object), before);
    }

    /** Changes an object, if it is there. */
    public @Nullable StoredObject change(ObjectReference ref, UnaryOperator<JsonObjectReader> change) {
        StoredObject before = get(ref);
        return before == null ? null : settled(becomes(before, change.apply(before.tree())), before);
    }

    /** Ends an object at once, whatever holds it. */
    public void remove(ObjectReference ref) {
        StoredObject before = get(ref);
        if (before != null) {
            end(before, before.tree());
        }
    }

    /** Forgets the past of everything: watchers that are behind begin anew. */
    public void compact() {
        shelves.values().forEach(resourceStore -> resourceStore.dropEventsBefore(version));
    }

    private static StoredObject settled(WriteResult writeResult, StoredObject before) {
        return writeResult instanceof StoredObject storedObject ? storedObject : before;
    }

    private StoredObject begin(ObjectReference ref, JsonObjectReader object) {
        made++;
        String uid = UUID.nameUUIDFromBytes((name + "/" + made).getBytes(StandardCharsets.UTF_8))
                .toString();
        JsonObjectReader begun = ObjectMetadata.begin(object, ref, uid, now(), ++version);
        StoredObject storedObject = new StoredObject(ref, begun, version);
        shelf(ref.resource()).recordEvent(new ObjectEvent(null, storedObject, false));
        return storedObject;
    }

    private WriteResult becomes(StoredObject before, JsonObjectReader object) {
        JsonObjectReader after = ObjectMetadata.aged(ObjectMetadata.keep(object, before), before);
        if (ObjectMetadata.ending(after) && ObjectMetadata.finalized(after)) {
            return new WriteResult.RemovedObject(end(before, after));
        }
        return ImmutableJson.same(after, before.tree()) ? before : write(before, after);
    }

    private StoredObject write(StoredObject before, JsonObjectReader after) {
        StoredObject storedObject = new StoredObject(before.ref(), ObjectMetadata.versioned(after, ++version), version);
        shelf(before.ref().resource()).recordEvent(new ObjectEvent(before, storedObject, false));
        return storedObject;
    }

    private StoredObject end(StoredObject before, JsonObjectReader last) {
        StoredObject storedObject = new StoredObject(before.ref(), ObjectMetadata.versioned(last, ++version), version);
        shelf(before.ref().resource()).recordEvent(new ObjectEvent(before, storedObject, true));
        return storedObject;
    }

    private Instant now() {
        return clock.instant();
    }
}
