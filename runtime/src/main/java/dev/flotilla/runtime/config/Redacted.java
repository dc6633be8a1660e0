package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.PrettyJson;
import dev.flotilla.schemas.json.tree.Shown;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.Locale;

/** A configuration as it may be shown. */
final class Redacted {
    private static final String MASK = "***";

    /** A name that ends so says where a secret is, not what it is. */
    private static final String FILE = "file";

    private Redacted() {}

    static <T> String show(Codec<T> codec, T value) {
        JsonWriter out = new JsonWriter();
        codec.write(out, value);
        return switch (JsonReader.read(out.toBytes(), Bounds.RECORD_BYTES)) {
            case Parsed.Whole whole -> PrettyJson.print(mask("", whole.tree()));
            case Parsed.Broken broken -> MASK;
        };
    }

    /** Whether a setting of this name holds a secret. Kafka's own names for them are among those that are known. */
    static boolean isSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.endsWith(FILE) || lower.endsWith("location") || lower.endsWith("url")) {
            return false;
        }
        return Shown.isSecret(name) || lower.contains("jaas") || lower.endsWith("keystore.key");
    }

    private static Tree mask(String name, Tree tree) {
        if (!(tree instanceof Obj obj)) {
            return isSecret(name) ? new Tree.Text(MASK, Tree.NO_LINE) : tree;
        }
        Obj.Builder shown = new Obj.Builder();
        for (int i = 0; i < obj.size(); i++) {
            shown.put(obj.name(i), mask(obj.name(i), obj.value(i)));
        }
        return shown.build();
    }
}
