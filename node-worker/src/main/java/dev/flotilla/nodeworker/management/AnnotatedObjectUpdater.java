package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An object that an attempt has marked. It is changed only as it was looked at, and looked at again where another has written
 * in between.
 *
 * @param readFailureText is said before why it cannot be read
 * @param writeFailureText is said before why it cannot be changed
 * @param conflictText is said where others change it under every try
 */
public record AnnotatedObjectUpdater(
        Supplier<KubeResponse> read,
        Function<KubeObject, @Nullable AttemptAnnotation> readAnnotation,
        Function<JsonObjectReader, KubeResponse> write,
        String readFailureText,
        String writeFailureText,
        String conflictText) {
    /** An object that changes under each of so many tries is somebody else's matter for now. */
    public static final int TRIES = 4;

    /** What to write, given the object and the attempt's mark on it; null for nothing. */
    public interface AnnotatedObjectChange {
        @Nullable
        JsonObjectReader patchFor(KubeObject object, AttemptAnnotation attemptAnnotation);
    }

    /** Makes a change, if the mark is this attempt's. Null once there is nothing more to change; else what went wrong. */
    public @Nullable String applyChange(long attempt, AnnotatedObjectChange annotatedObjectChange) {
        for (int i = 0; i < TRIES; i++) {
            KubeResponse reply = read.get();
            if (reply.isMissing()) {
                return null;
            }
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return readFailureText + reply.problem();
            }
            AttemptAnnotation there = readAnnotation.apply(successResponse.object());
            JsonObjectReader body = there == null || there.attempt() != attempt
                    ? null
                    : annotatedObjectChange.patchFor(successResponse.object(), there);
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
