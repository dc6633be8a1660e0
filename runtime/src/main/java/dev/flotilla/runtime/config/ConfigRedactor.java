package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.util.Locale;

/** Masks the secrets of a configuration. */
final class ConfigRedactor {
    private static final String MASK = "***";

    /** The suffix of settings that have the path of a secret, not the secret. */
    private static final String FILE = "file";

    private ConfigRedactor() {}

    static <T> String redact(JsonCodec<T> codec, T value) {
        JsonWriter out = new JsonWriter();
        codec.write(out, value);
        return switch (JsonReader.read(out.toBytes(), DocumentLimits.RECORD_BYTES)) {
            case ParseResult.ParsedDocument parsedDocument -> PrettyJsonPrinter.print(mask("", parsedDocument.value()));
            case ParseResult.UnparsableDocument unparsableDocument -> MASK;
        };
    }

    /** Whether a setting with this name may be a secret. Kafka's names for secrets are included. */
    static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.endsWith(FILE) || lower.endsWith("location") || lower.endsWith("url")) {
            return false;
        }
        return RedactedText.isSecret(name) || lower.contains("jaas") || lower.endsWith("keystore.key");
    }

    private static JsonValue mask(String name, JsonValue jsonValue) {
        if (!(jsonValue instanceof JsonObjectReader jsonObjectReader)) {
            return isSecret(name) ? new JsonValue.JsonString(MASK, JsonValue.NO_LINE) : jsonValue;
        }
        JsonObjectReader.Builder shown = new JsonObjectReader.Builder();
        for (int i = 0; i < jsonObjectReader.size(); i++) {
            shown.put(jsonObjectReader.name(i), mask(jsonObjectReader.name(i), jsonObjectReader.value(i)));
        }
        return shown.build();
    }
}
