package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.row.RejectionReason;

/** The JSON Schema (2020-12) of every type of row, made of the same declaration that reads and writes it. */
public final class RowJsonSchemas {
    public static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private static final String HOME = "https://flotilla.dev/schemas/v" + WireRecordCodec.SCHEMA_VERSION + "/";

    private RowJsonSchemas() {}

    /** The name of the file that a type's schema stands in. */
    public static String fileName(RowType type) {
        return type.label() + ".schema.json";
    }

    /** How large a record of a type may be, in words. */
    static String size(RowType type) {
        return "A record of at most " + type.maxBytes() + " bytes; a larger one is refused as "
                + RejectionReason.TOO_LARGE.label() + ".";
    }

    /** The document of a type's schema, as it stands in that file. */
    public static String document(RowType type) {
        JsonObjectReader.Builder document = new JsonObjectReader.Builder()
                .put("$schema", DIALECT)
                .put("$id", HOME + fileName(type))
                .put("$comment", size(type));
        JsonObjectReader schema = type.schema();
        for (int i = 0; i < schema.size(); i++) {
            document.put(schema.name(i), schema.value(i));
        }
        return PrettyJsonPrinter.print(document.build());
    }
}
