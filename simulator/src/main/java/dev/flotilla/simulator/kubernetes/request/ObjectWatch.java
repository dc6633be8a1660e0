package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiError;
import dev.flotilla.simulator.kubernetes.store.ObjectEvent;
import dev.flotilla.simulator.kubernetes.store.ResourceStore;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A look at some objects of a resource that goes on: first what there is or what was missed, then what happens. */
public final class ObjectWatch {
    private static final byte[] END = "}".getBytes(StandardCharsets.US_ASCII);

    private final ResourceStore resourceStore;
    private final ObjectSelector objectSelector;
    private final long since;
    private final long seconds;

    /**
     * Nothing is told before it is run.
     *
     * @param since the version after which it begins; 0 to begin with what there is
     * @param seconds after which it ends; 0 where it does not
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

    /** Tells of events, each as JSON. Returns what ends it. */
    public Runnable run(Consumer<byte[]> told) {
        if (since == 0) {
            for (StoredObject object : resourceStore.objectsInNamespace(objectSelector.namespace())) {
                if (objectSelector.matches(object)) {
                    told.accept(event("ADDED", object.bytes()));
                }
            }
        } else if (since < resourceStore.forgotten()) {
            ApiError expired = ApiError.expired(since, resourceStore.forgotten());
            told.accept(event("ERROR", ImmutableJson.bytes(expired.status())));
            return () -> {};
        } else {
            resourceStore.eventsAfter(since).forEach(objectEvent -> tell(objectEvent, told));
        }
        return resourceStore.watch(objectEvent -> tell(objectEvent, told));
    }

    /** Whether it begins too far in the past, and ends with telling that. */
    public boolean tooOld() {
        return since != 0 && since < resourceStore.forgotten();
    }

    private void tell(ObjectEvent objectEvent, Consumer<byte[]> told) {
        boolean was = objectSelector.matches(objectEvent.before());
        boolean is = !objectEvent.deleted() && objectSelector.matches(objectEvent.after());
        if (was || is) {
            String type = !is ? "DELETED" : was ? "MODIFIED" : "ADDED";
            told.accept(event(type, objectEvent.after().bytes()));
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
