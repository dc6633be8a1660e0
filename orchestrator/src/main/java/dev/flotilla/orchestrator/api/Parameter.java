package dev.flotilla.orchestrator.api;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/**
 * Something a question may say.
 *
 * @param inPath whether it is a part of the path, and so always there
 * @param schema what it must be
 */
record Parameter(String name, boolean inPath, String description, JsonObjectReader schema) {
    static Parameter path(String name, String description) {
        return new Parameter(name, true, description, text());
    }

    static Parameter query(String name, String description) {
        return new Parameter(name, false, description, text());
    }

    private static JsonObjectReader text() {
        return new JsonObjectReader.Builder().put("type", "string").build();
    }

    Parameter with(JsonObjectReader form) {
        return new Parameter(name, inPath, description, form);
    }

    JsonObjectReader document() {
        return new JsonObjectReader.Builder()
                .put("name", name)
                .put("in", inPath ? "path" : "query")
                .put("required", inPath)
                .put("description", description)
                .put("schema", schema)
                .build();
    }
}
