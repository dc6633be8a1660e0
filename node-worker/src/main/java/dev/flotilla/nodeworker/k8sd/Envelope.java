package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Shown;
import dev.flotilla.schemas.json.tree.Tree;
import org.jspecify.annotations.Nullable;

/** What k8sd puts around each answer. */
final class Envelope {
    /** Its answers have a few hundred bytes. */
    static final int MOST_BYTES = 64 * 1024;

    private static final int OK = 200;
    private static final int LONGEST_ERROR = 512;

    private Envelope() {}

    static Exchange read(int status, byte[] body) {
        return switch (JsonReader.read(body, MOST_BYTES)) {
            case Parsed.Broken broken ->
                new Exchange.Garbled(status, broken.why().problem());
            case Parsed.Whole whole ->
                whole.flaws().isEmpty()
                        ? read(status, whole.tree())
                        : new Exchange.Garbled(status, whole.flaws().get(0).problem());
        };
    }

    private static Exchange read(int status, Tree tree) {
        if (!(tree instanceof Obj envelope)) {
            return new Exchange.Garbled(status, "it is no object");
        }
        String error = text(envelope, "error");
        String type = text(envelope, "type");
        if (type == null || error == null) {
            return new Exchange.Garbled(status, "it has no type or no error, so that it is not k8sd's");
        }
        if (status != OK || !error.isEmpty()) {
            return new Exchange.Refusal(status, error.isEmpty() ? "no reason given" : Shown.of(error, LONGEST_ERROR));
        }
        return envelope.get("metadata") instanceof Obj metadata
                ? new Exchange.Success(metadata)
                : new Exchange.Garbled(status, "its metadata is no object");
    }

    /** A text, or null where there is none of that name. */
    static @Nullable String text(Obj of, String name) {
        return of.get(name) instanceof Tree.Text text ? text.value() : null;
    }

    /** Whether it says that something is true. */
    static boolean flag(Obj of, String name) {
        return of.get(name) instanceof Tree.Flag flag && flag.value();
    }
}
