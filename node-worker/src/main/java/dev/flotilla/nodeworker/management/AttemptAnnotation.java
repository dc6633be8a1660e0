package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt leaves on an object that it touched, so that whoever comes after a crash knows what to undo, and whose it
 * is. It is all that is known of it: there is no other record.
 *
 * @param owner the partition and the worker that act for the attempt
 * @param setAnnotations the annotations that were not there before
 * @param setAt when it was written; null where that does not matter, or an earlier version wrote it
 */
public record AttemptAnnotation(
        long attempt,
        String owner,
        List<String> setAnnotations,
        @Nullable Instant setAt) {
    public static final String ON_MACHINE = "flotilla.dev/attempt";
    public static final String ON_NODE = "flotilla.dev/cordoned";

    /** No attempt works on a machine for so long: its mark is one that nobody could remove. */
    private static final Duration LASTS = Duration.ofDays(1);

    public AttemptAnnotation {
        setAnnotations = List.copyOf(setAnnotations);
    }

    public AttemptAnnotation(long attempt, String owner, List<String> set) {
        this(attempt, owner, set, null);
    }

    /** Reads one. What cannot be read is nobody's, and may be written over. */
    public static @Nullable AttemptAnnotation parse(@Nullable String text) {
        KubeObject json = KubeObject.parse(text);
        if (json == null) {
            return null;
        }
        Long attempt = json.number("attemptId");
        String owner = json.text("owner");
        return attempt == null || owner == null
                ? null
                : new AttemptAnnotation(attempt, owner, json.texts("setAnnotations"), json.instant("setAt"));
    }

    /** The mark on a Machine; null where there is none. */
    public static @Nullable AttemptAnnotation onMachine(KubeObject machine) {
        return parse(machine.annotation(ON_MACHINE));
    }

    /** The mark on a Node; null where there is none. */
    public static @Nullable AttemptAnnotation onNode(KubeObject node) {
        return parse(node.annotation(ON_NODE));
    }

    /** As the annotation's value. */
    public String text() {
        JsonObjectReader.Builder json =
                new JsonObjectReader.Builder().put("attemptId", attempt).put("owner", owner);
        if (!setAnnotations.isEmpty()) {
            json.put("setAnnotations", setAnnotations);
        }
        if (setAt != null) {
            json.put("setAt", setAt.toString());
        }
        return KubeObject.toJsonText(json.build());
    }

    /** Whether it was left behind, whatever its attempt: numbers begin anew where Kafka was set up anew. */
    public boolean isOverdue(Instant now) {
        return setAt != null && setAt.isBefore(now.minus(LASTS));
    }

    /** Whether it is the same attempt's, in the same hands. */
    public boolean belongsTo(long attempt, String owner) {
        return this.attempt == attempt && this.owner.equals(owner);
    }
}
