package dev.flotilla.managementwatcher.external;

import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.JsonResponseWriter;
import dev.flotilla.schemas.json.RowJsonSchemas;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import java.util.List;

/** The OpenAPI document of ExternalUpgradeRequests, made from the codecs, so that it matches what the server reads. */
final class ExternalUpgradeOpenApi {
    private ExternalUpgradeOpenApi() {}

    static String generate() {
        JsonObjectReader post = object().put("operationId", "requestUpgrade")
                .put(
                        "summary",
                        "Asks for an UpgradeTask: aborts the running task of the same owner, and accepts or declines."
                                + " The same request gets the same task.")
                .put(
                        "requestBody",
                        object().put("required", true)
                                .put("content", content("external-upgrade-request"))
                                .build())
                .put(
                        "responses",
                        object().put("200", response("Accepted or declined.", "external-upgrade-answer"))
                                .put("400", response("The body is no valid request.", "error"))
                                .put("401", response("The caller shows no valid token or certificate.", "error"))
                                .put("403", response("The caller must not create UpgradeTasks there.", "error"))
                                .put("408", response("The body did not arrive within 10 s.", "error"))
                                .put("413", response("The body has more than 1 MiB.", "error"))
                                .put("415", response("The body is not sent as JSON.", "error"))
                                .put("503", response("Not decided: try again.", "error"))
                                .build())
                .build();
        JsonObjectReader token =
                object().put("type", "http").put("scheme", "bearer").build();
        JsonObjectReader certificate = object().put("type", "mutualTLS").build();
        return PrettyJsonPrinter.print(object().put("openapi", "3.1.0")
                .put(
                        "info",
                        object().put("title", "Flotilla: ExternalUpgradeRequest")
                                .put("version", "v1alpha1")
                                .build())
                .put("jsonSchemaDialect", RowJsonSchemas.DIALECT)
                .put(
                        "security",
                        new JsonValue.JsonArray(
                                List.of(
                                        object().put("token", List.of()).build(),
                                        object().put("certificate", List.of()).build()),
                                JsonValue.NO_LINE))
                .put(
                        "paths",
                        object().put(
                                        ExternalUpgradeServer.PATH,
                                        object().put("post", post).build())
                                .build())
                .put(
                        "components",
                        object().put(
                                        "schemas",
                                        object().put("external-upgrade-request", ExternalUpgradeCodecs.REQUEST.schema())
                                                .put("external-upgrade-answer", ExternalUpgradeCodecs.ANSWER.schema())
                                                .put("error", HttpErrorResponse.CODEC.schema())
                                                .build())
                                .put(
                                        "securitySchemes",
                                        object().put("token", token)
                                                .put("certificate", certificate)
                                                .build())
                                .build())
                .build());
    }

    private static JsonObjectReader response(String description, String schema) {
        return object().put("description", description)
                .put("content", content(schema))
                .build();
    }

    private static JsonObjectReader content(String schema) {
        JsonObjectReader reference =
                object().put("$ref", "#/components/schemas/" + schema).build();
        return object().put(
                        JsonResponseWriter.TYPE,
                        object().put("schema", reference).build())
                .build();
    }

    private static JsonObjectReader.Builder object() {
        return new JsonObjectReader.Builder();
    }
}
