package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;

/** What all our Kubernetes-shaped documents have, and the form of what this version does not decide. */
final class ManifestFields {
    static final String API_VERSION = "flotilla.dev/v1";

    /** Stands for an object that was well formed and that nobody here has a type for. */
    enum UnsupportedValue {
        SEEN
    }

    private ManifestFields() {}

    /** Declares the first two members, which say what a document is. */
    static <R> void declareApiVersionAndKind(JsonObjectCodec.CodecBuilder<R> document, String kind) {
        document.required(
                "apiVersion", ScalarCodecs.exactly(API_VERSION), "The version of this form.", any -> API_VERSION);
        document.required("kind", ScalarCodecs.exactly(kind), "What the document is.", any -> kind);
    }

    /** An object all of whose members are for a later version. */
    static JsonObjectCodec.CodecBuilder<UnsupportedValue> unsupportedObject(String title, String description) {
        return JsonObjectCodec.of(title, description);
    }

    static JsonCodec<UnsupportedValue> build(JsonObjectCodec.CodecBuilder<UnsupportedValue> declaration) {
        return declaration.build(v -> UnsupportedValue.SEEN);
    }

    /** One of these words, for what this version has no type for. */
    static JsonCodec<String> oneOf(String... words) {
        return ScalarCodecs.oneOf(List.of(words));
    }
}
