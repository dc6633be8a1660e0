package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ObjectEvent;
import dev.flotilla.simulator.kubernetes.store.ResourceStore;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Watches some objects of a resource: it first sends the existing objects or the missed events, then new events. */
public final class ObjectWatch {
    private static final byte[] END = "}".getBytes(StandardCharsets.US_ASCII);

    private final ResourceStore resourceStore;
    private final ObjectSelector objectSelector;
    private final long since;
    private final long seconds;

    /**
     * Creates a watch that sends nothing before it is run.
     *
     * @param since the version after which it begins; 0 to begin with the existing objects
     * @param seconds after which it ends; 0 if it does not
     */
    ObjectWatch(ResourceStore resourceStore, ObjectSelector objectSelector, long since, long seconds) {
        this.resourceStore = resourceStore;
        this.objectSelector = objectSelector;
        this.since = since;
        this.seconds = seconds;
    }

    public long seconds() {
        return seconds;
    }

    /** Sends events as JSON to a consumer. Returns an action that ends the watch. */
    public Runnable run(Consumer<byte[]> sink) {
        if (since == 0) {
            for (StoredObject object : resourceStore.objectsInNamespace(objectSelector.namespace())) {
                if (objectSelector.matches(object)) {
                    sink.accept(event("ADDED", object.bytes()));
                }
            }
        } else if (since < resourceStore.droppedUpTo()) {
            ApiError expired = ApiError.expired(since, resourceStore.droppedUpTo());
            sink.accept(event("ERROR", ImmutableJson.bytes(expired.status())));
            return () -> {};
        } else {
            resourceStore.eventsAfter(since).forEach(objectEvent -> sendIfSelected(objectEvent, sink));
        }
        return resourceStore.watch(objectEvent -> sendIfSelected(objectEvent, sink));
    }

    /** Whether it begins before the retained events; then it ends with an error event. */
    public boolean isExpired() {
        return since != 0 && since < resourceStore.droppedUpTo();
    }

    private void sendIfSelected(ObjectEvent objectEvent, Consumer<byte[]> sink) {
        boolean was = objectSelector.matches(objectEvent.before());
        boolean is = !objectEvent.deleted() && objectSelector.matches(objectEvent.after());
        if (was || is) {
            String type = !is ? "DELETED" : was ? "MODIFIED" : "ADDED";
            sink.accept(event(type, objectEvent.after().bytes()));
        }
    }

    private static byte[] event(String type, byte[] object) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(object.length + 40);
        out.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(object);
        out.writeBytes(END);
        return out.toByteArray();
    }
}
