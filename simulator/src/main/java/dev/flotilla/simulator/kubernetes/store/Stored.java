package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.simulator.kubernetes.json.Json;
import org.jspecify.annotations.Nullable;

/** An object as it stood at one version. It is spelled once, for however many watchers and lists. */
public final class Stored implements Outcome {
    private final ObjectRef ref;
    private final Obj tree;
    private final long version;
    private byte @Nullable [] bytes;

    Stored(ObjectRef ref, Obj tree, long version) {
        this.ref = ref;
        this.tree = tree;
        this.version = version;
    }

    public ObjectRef ref() {
        return ref;
    }

    public Obj tree() {
        return tree;
    }

    public long version() {
        return version;
    }

    /** As JSON. Not to be changed. */
    public byte[] bytes() {
        byte[] spelled = bytes;
        if (spelled == null) {
            spelled = Json.bytes(tree);
            bytes = spelled;
        }
        return spelled;
    }
}
