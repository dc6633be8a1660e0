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
 * The objects of one cluster. HTTP requests use {@link #create}, {@link #replace} and {@link #delete}, which reject
 * like a real API server. The simulation itself uses {@link #put}, {@link #change} and {@link #remove}, which always
 * succeed.
 */
public final class ClusterObjectStore {
    private final String name;
    private final InstantSource clock;
    private final Map<ApiResource, ResourceStore> resourceStores = new LinkedHashMap<>();
    private long version = 1;
    private long createdObjects;

    /**
     * Creates an empty store.
     *
     * @param name the basis of its uids, so that those of two clusters differ
     */
    public ClusterObjectStore(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
        BuiltInResources.ALL.forEach(resource -> resourceStores.put(resource, new ResourceStore()));
    }

    /** The resource version of the last write. */
    public long version() {
        return version;
    }

    public Set<ApiResource> resources() {
        return Collections.unmodifiableSet(resourceStores.keySet());
    }

    /** A served resource by its parts in paths; null if it is not served. */
    public @Nullable ApiResource resource(String group, String version, String plural) {
        return BuiltInResources.find(resourceStores.keySet(), group, version, plural);
    }

    /** All objects of a resource, which is served from now on. */
    public ResourceStore resourceStore(ApiResource resource) {
        return resourceStores.computeIfAbsent(resource, absent -> new ResourceStore());
    }

    public @Nullable StoredObject get(ObjectReference ref) {
        return resourceStore(ref.resource()).get(ref);
    }

    /** Creates an object that must not exist yet. */
    public WriteResult create(ObjectReference ref, JsonObjectReader object) {
        if (get(ref) != null) {
            return ApiError.exists(ref);
        }
        boolean statusIsTheServers = !ref.resource().equals(BuiltInResources.NODES);
        return createObject(ref, statusIsTheServers ? ImmutableJson.without(object, "status") : object);
    }

    /** Replaces the part of an existing object that the scope covers. */
    public WriteResult replace(ObjectReference ref, JsonObjectReader object, WriteScope writeScope) {
        StoredObject before = get(ref);
        if (before == null) {
            return ApiError.notFound(ref.resource(), ref.name());
        }
        ApiError stale = checkPreconditions(before, ImmutableJson.inner(object, "metadata"));
        return stale != null ? stale : updateObject(before, writeScope.applyWrite(object, before));
    }

    private static @Nullable ApiError checkPreconditions(StoredObject before, JsonObjectReader preconditions) {
        String uid = ImmutableJson.textAt(preconditions, "uid");
        String actualUid = ImmutableJson.textAt(before.tree(), "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(actualUid)) {
            return ApiError.conflict(
                    before.ref(),
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + actualUid);
        }
        String expectedVersion = ImmutableJson.textAt(preconditions, "resourceVersion");
        return expectedVersion.isEmpty() || expectedVersion.equals(Long.toString(before.version()))
                ? null
                : ApiError.conflict(
                        before.ref(),
                        "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** Deletes an object, immediately or once it has no finalizers. */
    public WriteResult delete(ObjectReference ref, JsonObjectReader preconditions) {
        StoredObject before = get(ref);
        if (before == null) {
            return ApiError.notFound(ref.resource(), ref.name());
        }
        ApiError stale = checkPreconditions(before, preconditions);
        if (stale != null) {
            return stale;
        }
        if (ObjectMetadata.hasNoFinalizers(before.tree())) {
            return new WriteResult.RemovedObject(deleteObject(before, before.tree()));
        }
        return ObjectMetadata.isBeingDeleted(before.tree())
                ? before
                : write(
                        before,
                        ImmutableJson.with(before.tree(), ObjectMetadata.time(now()), "metadata", "deletionTimestamp"));
    }

    /** Creates or replaces an object unconditionally. */
    public StoredObject put(ObjectReference ref, JsonObjectReader object) {
        StoredObject before = get(ref);
        return before == null ? createObject(ref, object) : resultOrBefore(updateObject(before, object), before);
    }

    /** Changes an object if it exists. */
    public @Nullable StoredObject change(ObjectReference ref, UnaryOperator<JsonObjectReader> change) {
        StoredObject before = get(ref);
        return before == null ? null : resultOrBefore(updateObject(before, change.apply(before.tree())), before);
    }

    /** Deletes an object immediately, despite its finalizers. */
    public void remove(ObjectReference ref) {
        StoredObject before = get(ref);
        if (before != null) {
            deleteObject(before, before.tree());
        }
    }

    /** Drops all retained events, so that watches that are behind have to list again. */
    public void compact() {
        resourceStores.values().forEach(resourceStore -> resourceStore.dropEventsBefore(version));
    }

    private static StoredObject resultOrBefore(WriteResult writeResult, StoredObject before) {
        return writeResult instanceof StoredObject storedObject ? storedObject : before;
    }

    private StoredObject createObject(ObjectReference ref, JsonObjectReader object) {
        createdObjects++;
        String uid = UUID.nameUUIDFromBytes((name + "/" + createdObjects).getBytes(StandardCharsets.UTF_8))
                .toString();
        JsonObjectReader begun = ObjectMetadata.initialize(object, ref, uid, now(), ++version);
        StoredObject storedObject = new StoredObject(ref, begun, version);
        resourceStore(ref.resource()).recordEvent(new ObjectEvent(null, storedObject, false));
        return storedObject;
    }

    private WriteResult updateObject(StoredObject before, JsonObjectReader object) {
        JsonObjectReader after = ObjectMetadata.withGeneration(ObjectMetadata.withServerFields(object, before), before);
        if (ObjectMetadata.isBeingDeleted(after) && ObjectMetadata.hasNoFinalizers(after)) {
            return new WriteResult.RemovedObject(deleteObject(before, after));
        }
        return ImmutableJson.same(after, before.tree()) ? before : write(before, after);
    }

    private StoredObject write(StoredObject before, JsonObjectReader after) {
        StoredObject storedObject =
                new StoredObject(before.ref(), ObjectMetadata.withVersion(after, ++version), version);
        resourceStore(before.ref().resource()).recordEvent(new ObjectEvent(before, storedObject, false));
        return storedObject;
    }

    private StoredObject deleteObject(StoredObject before, JsonObjectReader last) {
        StoredObject storedObject =
                new StoredObject(before.ref(), ObjectMetadata.withVersion(last, ++version), version);
        resourceStore(before.ref().resource()).recordEvent(new ObjectEvent(before, storedObject, true));
        return storedObject;
    }

    private Instant now() {
        return clock.instant();
    }
}
