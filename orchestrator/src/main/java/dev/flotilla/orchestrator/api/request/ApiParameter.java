package dev.flotilla.orchestrator.api.request;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/**
 * A parameter of an API operation.
 *
 * @param inPath whether it is a part of the path, and therefore always present
 * @param schema JSON schema of its value
 */
public record ApiParameter(String name, boolean inPath, String description, JsonObjectReader schema) {
    public static ApiParameter pathParameter(String name, String description) {
        return new ApiParameter(name, true, description, text());
    }

    public static ApiParameter queryParameter(String name, String description) {
        return new ApiParameter(name, false, description, text());
    }

    private static JsonObjectReader text() {
        return new JsonObjectReader.Builder().put("type", "string").build();
    }

    public ApiParameter withSchema(JsonObjectReader schema) {
        return new ApiParameter(name, inPath, description, schema);
    }

    public JsonObjectReader toOpenApi() {
        return new JsonObjectReader.Builder()
                .put("name", name)
                .put("in", inPath ? "path" : "query")
                .put("required", inPath)
                .put("description", description)
                .put("schema", schema)
                .build();
    }
}
