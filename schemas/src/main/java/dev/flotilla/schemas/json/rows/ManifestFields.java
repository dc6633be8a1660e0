package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;

/** Fields that campaign and policy manifests have in common, and codecs for fields that this version does not support. */
final class ManifestFields {
    static final String API_VERSION = "flotilla.dev/v1";

    /** Placeholder for a well-formed object without a type in this version. */
    enum UnsupportedValue {
        SEEN
    }

    private ManifestFields() {}

    /** Declares {@code apiVersion} and {@code kind}, the first two members. */
    static <R> void declareApiVersionAndKind(JsonObjectCodec.CodecBuilder<R> document, String kind) {
        document.required(
                "apiVersion", ScalarCodecs.exactly(API_VERSION), "The version of this format.", any -> API_VERSION);
        document.required("kind", ScalarCodecs.exactly(kind), "The kind of document.", any -> kind);
    }

    /** An object whose members this version does not support. */
    static JsonObjectCodec.CodecBuilder<UnsupportedValue> unsupportedObject(String title, String description) {
        return JsonObjectCodec.of(title, description);
    }

    static JsonCodec<UnsupportedValue> build(JsonObjectCodec.CodecBuilder<UnsupportedValue> declaration) {
        return declaration.build(v -> UnsupportedValue.SEEN);
    }
}
