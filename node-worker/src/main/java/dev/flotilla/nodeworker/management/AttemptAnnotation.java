package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The annotation that an attempt sets on an object before it changes it. After a crash it says what to undo, and for
 * which attempt; there is no other record.
 *
 * @param owner the partition and the worker that run the attempt
 * @param setAnnotations the annotations that the attempt has added
 * @param setAt when it was written; null if that does not matter, or an earlier version wrote it
 */
public record AttemptAnnotation(
        long attempt,
        String owner,
        List<String> setAnnotations,
        @Nullable Instant setAt) {
    public static final String ON_MACHINE = AnnotationKeys.ATTEMPT;
    public static final String ON_NODE = AnnotationKeys.CORDONED;

    /** No attempt runs this long: an older annotation could not be removed. */
    private static final Duration MAX_AGE = Duration.ofDays(1);

    public AttemptAnnotation {
        setAnnotations = List.copyOf(setAnnotations);
    }

    public AttemptAnnotation(long attempt, String owner, List<String> set) {
        this(attempt, owner, set, null);
    }

    /** Parses the annotation. An unreadable one belongs to no attempt and may be overwritten. */
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

    /** Returns the annotation of a Machine; null for none. */
    public static @Nullable AttemptAnnotation onMachine(KubeObject machine) {
        return parse(machine.annotation(ON_MACHINE));
    }

    /** Returns the annotation of a Node; null for none. */
    public static @Nullable AttemptAnnotation onNode(KubeObject node) {
        return parse(node.annotation(ON_NODE));
    }

    /** Formats the annotation's value. */
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

    /** Whether it was left behind, whatever its attempt: attempt ids restart if Kafka is set up again. */
    public boolean isOverdue(Instant now) {
        return setAt != null && setAt.isBefore(now.minus(MAX_AGE));
    }

    /** Whether it belongs to this attempt and owner. */
    public boolean belongsTo(long attempt, String owner) {
        return this.attempt == attempt && this.owner.equals(owner);
    }
}
