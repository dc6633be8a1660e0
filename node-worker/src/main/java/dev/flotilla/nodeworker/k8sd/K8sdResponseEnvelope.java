package dev.flotilla.nodeworker.k8sd;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseError;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.RedactedText;
import org.jspecify.annotations.Nullable;

/** Parses the envelope of k8sd's responses. */
final class K8sdResponseEnvelope {
    /** Most bytes of a response; k8sd's have a few hundred. */
    static final int MOST_BYTES = 64 * 1024;

    private static final int OK = 200;
    private static final int LONGEST_ERROR = 512;

    private K8sdResponseEnvelope() {}

    static K8sdRequestResult parseResponse(int status, byte[] body) {
        return switch (JsonReader.read(body, MOST_BYTES)) {
            case ParseResult.UnparsableDocument unparsableDocument ->
                new K8sdRequestResult.UnreadableResponse(
                        status, "it " + unparsableDocument.error().problem());
            case ParseResult.ParsedDocument parsedDocument ->
                parsedDocument.errors().isEmpty()
                        ? parseResponse(status, parsedDocument.value())
                        : new K8sdRequestResult.UnreadableResponse(
                                status, describe(parsedDocument.errors().get(0)));
        };
    }

    private static String describe(ParseError error) {
        return "field \"" + RedactedText.redact(error.path()) + "\" " + error.problem();
    }

    private static K8sdRequestResult parseResponse(int status, JsonValue jsonValue) {
        if (!(jsonValue instanceof JsonObjectReader envelope)) {
            return new K8sdRequestResult.UnreadableResponse(status, "it is not an object");
        }
        String error = text(envelope, "error");
        String type = text(envelope, "type");
        if (type == null || error == null) {
            return new K8sdRequestResult.UnreadableResponse(
                    status, "it has no type or no error, so that it is not k8sd's");
        }
        if (status != OK || !error.isEmpty()) {
            return new K8sdRequestResult.ErrorReturned(
                    status, error.isEmpty() ? "no reason given" : RedactedText.redact(error, LONGEST_ERROR));
        }
        return envelope.get("metadata") instanceof JsonObjectReader metadata
                ? new K8sdRequestResult.SuccessReturned(metadata)
                : new K8sdRequestResult.UnreadableResponse(status, "its metadata is not an object");
    }

    /** Returns a text field; null for none. */
    static @Nullable String text(JsonObjectReader of, String name) {
        return of.get(name) instanceof JsonValue.JsonString jsonString ? jsonString.value() : null;
    }

    /** Returns whether a flag is true. */
    static boolean flag(JsonObjectReader of, String name) {
        return of.get(name) instanceof JsonValue.JsonBoolean jsonBoolean && jsonBoolean.value();
    }
}
