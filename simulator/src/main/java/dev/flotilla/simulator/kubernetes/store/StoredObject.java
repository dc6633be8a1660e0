package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import org.jspecify.annotations.Nullable;

/** An object at one version. It is serialized once for all watches and lists. */
public final class StoredObject implements WriteResult {
    private final ObjectReference ref;
    private final JsonObjectReader tree;
    private final long version;
    private byte @Nullable [] bytes;

    StoredObject(ObjectReference ref, JsonObjectReader tree, long version) {
        this.ref = ref;
        this.tree = tree;
        this.version = version;
    }

    public ObjectReference ref() {
        return ref;
    }

    public JsonObjectReader tree() {
        return tree;
    }

    public long version() {
        return version;
    }

    /** The object as JSON. Must not be modified. */
    public byte[] bytes() {
        byte[] spelled = bytes;
        if (spelled == null) {
            spelled = ImmutableJson.bytes(tree);
            bytes = spelled;
        }
        return spelled;
    }
}
