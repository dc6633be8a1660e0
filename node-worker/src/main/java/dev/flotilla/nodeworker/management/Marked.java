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
 * @param unread is said before why it cannot be read
 * @param unwritten is said before why it cannot be changed
 * @param contested is said where others change it under every try
 */
public record Marked(
        Supplier<KubeResponse> read,
        Function<KubeObject, @Nullable Mark> mark,
        Function<JsonObjectReader, KubeResponse> write,
        String unread,
        String unwritten,
        String contested) {
    /** An object that changes under each of so many tries is somebody else's matter for now. */
    public static final int TRIES = 4;

    /** What to write, given the object and the attempt's mark on it; null for nothing. */
    public interface Change {
        @Nullable
        JsonObjectReader of(KubeObject object, Mark mark);
    }

    /** Makes a change, if the mark is this attempt's. Null once there is nothing more to change; else what went wrong. */
    public @Nullable String change(long attempt, Change change) {
        for (int i = 0; i < TRIES; i++) {
            KubeResponse reply = read.get();
            if (reply.isMissing()) {
                return null;
            }
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return unread + reply.problem();
            }
            Mark there = mark.apply(successResponse.object());
            JsonObjectReader body = there == null || there.attempt() != attempt ? null : change.of(successResponse.object(), there);
            if (body == null) {
                return null;
            }
            KubeResponse written = write.apply(body);
            if (written instanceof KubeResponse.SuccessResponse || written.isMissing()) {
                return null;
            }
            if (!written.isConflict()) {
                return unwritten + written.problem();
            }
        }
        return contested;
    }
}
