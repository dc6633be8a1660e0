package dev.flotilla.simulator.kubernetes.request;

import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Happening;
import dev.flotilla.simulator.kubernetes.store.Refusal;
import dev.flotilla.simulator.kubernetes.store.Shelf;
import dev.flotilla.simulator.kubernetes.store.Stored;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A look at some objects of a resource that goes on: first what there is or what was missed, then what happens. */
public final class Watch {
    private static final byte[] END = "}".getBytes(StandardCharsets.US_ASCII);

    private final Shelf shelf;
    private final Selection selection;
    private final long since;
    private final long seconds;

    /**
     * Nothing is told before it is run.
     *
     * @param since the version after which it begins; 0 to begin with what there is
     * @param seconds after which it ends; 0 where it does not
     */
    Watch(Shelf shelf, Selection selection, long since, long seconds) {
        this.shelf = shelf;
        this.selection = selection;
        this.since = since;
        this.seconds = seconds;
    }

    public long seconds() {
        return seconds;
    }

    /** Tells of events, each as JSON. Returns what ends it. */
    public Runnable run(Consumer<byte[]> told) {
        if (since == 0) {
            for (Stored object : shelf.in(selection.namespace())) {
                if (selection.meets(object)) {
                    told.accept(event("ADDED", object.bytes()));
                }
            }
        } else if (since < shelf.forgotten()) {
            Refusal expired = Refusal.expired(since, shelf.forgotten());
            told.accept(event("ERROR", Json.bytes(expired.status())));
            return () -> {};
        } else {
            shelf.after(since).forEach(happening -> tell(happening, told));
        }
        return shelf.watch(happening -> tell(happening, told));
    }

    /** Whether it begins too far in the past, and ends with telling that. */
    public boolean tooOld() {
        return since != 0 && since < shelf.forgotten();
    }

    private void tell(Happening happening, Consumer<byte[]> told) {
        boolean was = selection.meets(happening.before());
        boolean is = !happening.gone() && selection.meets(happening.after());
        if (was || is) {
            String type = !is ? "DELETED" : was ? "MODIFIED" : "ADDED";
            told.accept(event(type, happening.after().bytes()));
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
