package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.PrettyJson;

/** The JSON Schema (2020-12) of every type of row, made of the same declaration that reads and writes it. */
public final class Schemas {
    public static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private static final String HOME = "https://flotilla.dev/schemas/v" + Wire.SCHEMA_VERSION + "/";

    private Schemas() {}

    /** The name of the file that a type's schema stands in. */
    public static String fileName(RowType type) {
        return type.label() + ".schema.json";
    }

    /** The document of a type's schema, as it stands in that file. */
    public static String document(RowType type) {
        Obj.Builder document = new Obj.Builder().put("$schema", DIALECT).put("$id", HOME + fileName(type));
        Obj schema = type.schema();
        for (int i = 0; i < schema.size(); i++) {
            document.put(schema.name(i), schema.value(i));
        }
        return PrettyJson.print(document.build());
    }
}
