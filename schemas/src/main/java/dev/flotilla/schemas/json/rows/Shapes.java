package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import java.util.List;

/** What all our Kubernetes-shaped documents have, and the form of what this version does not decide. */
final class Shapes {
    static final String API_VERSION = "flotilla.dev/v1";

    /** Stands for an object that was well formed and that nobody here has a type for. */
    enum Seen {
        SEEN
    }

    private Shapes() {}

    /** Declares the first two members, which say what a document is. */
    static <R> void head(RecordCodec.Declaration<R> document, String kind) {
        document.required("apiVersion", Scalars.exactly(API_VERSION), "The version of this form.", any -> API_VERSION);
        document.required("kind", Scalars.exactly(kind), "What the document is.", any -> kind);
    }

    /** An object all of whose members are for a later version. */
    static RecordCodec.Declaration<Seen> later(String title, String description) {
        return RecordCodec.of(title, description);
    }

    static Codec<Seen> build(RecordCodec.Declaration<Seen> declaration) {
        return declaration.build(v -> Seen.SEEN);
    }

    /** One of these words, for what this version has no type for. */
    static Codec<String> oneOf(String... words) {
        return Scalars.oneOf(List.of(words));
    }
}
