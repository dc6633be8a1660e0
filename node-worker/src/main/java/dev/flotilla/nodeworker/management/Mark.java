package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.Kube;
import dev.flotilla.schemas.json.tree.Obj;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt leaves on an object that it touched, so that whoever comes after a crash knows what to undo, and whose it
 * is. It is all that is known of it: there is no other record.
 *
 * @param owner the partition and the worker that act for the attempt
 * @param set the annotations that were not there before
 */
public record Mark(long attempt, String owner, List<String> set) {
    public static final String ON_MACHINE = "flotilla.dev/attempt";
    public static final String ON_NODE = "flotilla.dev/cordoned";

    public Mark {
        set = List.copyOf(set);
    }

    /** Reads one. What cannot be read is nobody's, and may be written over. */
    public static @Nullable Mark read(@Nullable String text) {
        Kube json = Kube.read(text);
        if (json == null) {
            return null;
        }
        Long attempt = json.whole("attempt");
        String owner = json.text("owner");
        return attempt == null || owner == null ? null : new Mark(attempt, owner, json.texts("set"));
    }

    /** The mark on a Machine; null where there is none. */
    public static @Nullable Mark onMachine(Kube machine) {
        return read(machine.annotation(ON_MACHINE));
    }

    /** The mark on a Node; null where there is none. */
    public static @Nullable Mark onNode(Kube node) {
        return read(node.annotation(ON_NODE));
    }

    /** As the annotation's value. */
    public String text() {
        Obj.Builder json = new Obj.Builder().put("attempt", attempt).put("owner", owner);
        if (!set.isEmpty()) {
            json.put("set", set);
        }
        return Kube.written(json.build());
    }

    /** Whether it is the same attempt's, in the same hands. */
    public boolean isOf(long attempt, String owner) {
        return this.attempt == attempt && this.owner.equals(owner);
    }
}
