package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.row.RejectionReason;

/** The JSON Schema (2020-12) of every type of row, generated from its codec. */
public final class RowJsonSchemas {
    public static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private static final String HOME = "https://flotilla.dev/schemas/v" + WireRecordCodec.SCHEMA_VERSION + "/";

    private RowJsonSchemas() {}

    /** Returns the file name of a type's schema. */
    public static String fileName(RowType type) {
        return type.label() + ".schema.json";
    }

    /** Describes the maximum size of a record of a type. */
    static String size(RowType type) {
        return "A record of at most " + type.maxBytes() + " bytes; a larger one is rejected as "
                + RejectionReason.TOO_LARGE.label() + ".";
    }

    /** Returns the schema of a type, as in its file. */
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
