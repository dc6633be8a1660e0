package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Updates an object that has an attempt's annotation. It writes only to the version that was read, and reads again
 * after a conflict.
 *
 * @param readFailureText prefix of the message if the object cannot be read
 * @param writeFailureText prefix of the message if it cannot be written
 * @param conflictText message if every try conflicts
 */
public record AnnotatedObjectUpdater(
        Supplier<KubeResponse> read,
        Function<KubeObject, @Nullable AttemptAnnotation> readAnnotation,
        Function<JsonObjectReader, KubeResponse> write,
        String readFailureText,
        String writeFailureText,
        String conflictText) {
    /** Most tries; an object that changes at each of them is left for now. */
    public static final int TRIES = 4;

    /** Returns the patch, given the object and its attempt annotation; null for nothing. */
    public interface AnnotatedObjectChange {
        @Nullable
        JsonObjectReader patchFor(KubeObject object, AttemptAnnotation attemptAnnotation);
    }

    /**
     * Applies a change if the annotation belongs to this attempt. Returns null once nothing is left to change, else
     * what failed.
     */
    public @Nullable String applyChange(long attempt, AnnotatedObjectChange annotatedObjectChange) {
        for (int i = 0; i < TRIES; i++) {
            KubeResponse reply = read.get();
            if (reply.isMissing()) {
                return null;
            }
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return readFailureText + reply.problem();
            }
            AttemptAnnotation annotation = readAnnotation.apply(successResponse.object());
            JsonObjectReader body = annotation == null || annotation.attempt() != attempt
                    ? null
                    : annotatedObjectChange.patchFor(successResponse.object(), annotation);
            if (body == null) {
                return null;
            }
            KubeResponse written = write.apply(body);
            if (written instanceof KubeResponse.SuccessResponse || written.isMissing()) {
                return null;
            }
            if (!written.isConflict()) {
                return writeFailureText + written.problem();
            }
        }
        return conflictText;
    }
}
