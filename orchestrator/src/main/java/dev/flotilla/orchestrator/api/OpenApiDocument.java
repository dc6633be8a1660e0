package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.FleetEvent;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.http.JsonResponseWriter;
import dev.flotilla.schemas.json.RowJsonSchemas;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import java.util.List;

/** The OpenAPI document: made of the operations themselves, so that it cannot say anything else than they do. */
final class OpenApiDocument {
    static final String PATH = "/api/v1/openapi.json";
    static final String EVENTS = "/api/v1/events";

    private static final String TEXT = "text/plain";

    private final JsonObjectReader.Builder paths = new JsonObjectReader.Builder();
    private final JsonObjectReader.Builder schemas = new JsonObjectReader.Builder();

    private OpenApiDocument() {}

    static String generate(List<ApiOperation<?>> operations) {
        return new OpenApiDocument().print(operations);
    }

    private String print(List<ApiOperation<?>> operations) {
        schemas.put("error", HttpErrorResponse.CODEC.schema());
        operations.forEach(this::operation);
        schemas.put("event", FleetEvent.CODEC.schema());
        add(EVENTS, "events", "Decisions as they are made, as server-sent events.", events(), stream());
        JsonObjectReader self = object("type", "object");
        add(PATH, "openapi", "This document.", List.of(), answers(content(JsonResponseWriter.TYPE, self)));
        schemas.put("health", HealthStatus.CODEC.schema());
        add(HealthAndMetricsRoutes.ALIVE, "healthz", "Whether to leave the process running.", List.of(), probe());
        add(
                HealthAndMetricsRoutes.READY,
                "readyz",
                "Whether the process does its work; its status says leader or standby.",
                List.of(),
                probe());
        JsonObjectReader text = object("type", "string");
        add(
                HealthAndMetricsRoutes.METRICS,
                "metrics",
                "Metrics for Prometheus.",
                List.of(),
                answers(content(TEXT, text)));
        return PrettyJsonPrinter.print(new JsonObjectReader.Builder()
                .put("openapi", "3.1.0")
                .put("info", info())
                .put("jsonSchemaDialect", RowJsonSchemas.DIALECT)
                .put("security", security())
                .put("paths", paths.build())
                .put("components", components())
                .build());
    }

    private void operation(ApiOperation<?> apiOperation) {
        JsonCodec<?> codec = apiOperation.codec();
        String title = apiOperation.codec().schema().get("title") instanceof JsonValue.JsonString jsonString
                ? jsonString.value()
                : "answer";
        schemas.put(title, codec.schema());
        List<JsonObjectReader> parameters =
                apiOperation.parameters().stream().map(ApiParameter::toOpenApi).toList();
        add(
                apiOperation.path(),
                apiOperation.id(),
                apiOperation.summary(),
                parameters,
                answers(content(JsonResponseWriter.TYPE, reference(title))));
    }

    private void add(
            String path, String id, String summary, List<JsonObjectReader> parameters, JsonObjectReader responses) {
        JsonObjectReader get = new JsonObjectReader.Builder()
                .put("operationId", id)
                .put("summary", summary)
                .put("parameters", list(parameters))
                .put("responses", responses)
                .build();
        String template = path.replaceAll(":([a-z]+)", "{$1}");
        paths.put(template, object("get", get));
    }

    private static JsonObjectReader answers(JsonObjectReader content) {
        return new JsonObjectReader.Builder()
                .put("200", response("The answer.", content))
                .put("default", response("Why there is none.", content(JsonResponseWriter.TYPE, reference("error"))))
                .build();
    }

    private static JsonObjectReader probe() {
        JsonObjectReader health = content(JsonResponseWriter.TYPE, reference("health"));
        return new JsonObjectReader.Builder()
                .put("200", response("All is well.", health))
                .put("503", response("Not all is well.", health))
                .build();
    }

    private static List<JsonObjectReader> events() {
        JsonObjectReader number = object("type", "string").toBuilder()
                .put("pattern", "^[0-9]{1,18}$")
                .build();
        JsonObjectReader header = new JsonObjectReader.Builder()
                .put("name", EventSubscriptionHandler.LAST)
                .put("in", "header")
                .put("required", false)
                .put("description", "The last event that was received: the stream begins behind it.")
                .put("schema", number)
                .build();
        return List.of(
                header,
                ApiParameter.queryParameter("after", "The same, for those who cannot send the header.")
                        .withSchema(number)
                        .toOpenApi());
    }

    private static JsonObjectReader stream() {
        String about =
                "Frames with id (the event's seq), event (its label) and data (components/schemas/event). A frame"
                        + " named gap says that events are missing behind its \"after\": read the state again.";
        JsonObjectReader content = content("text/event-stream", object("type", "string"));
        return new JsonObjectReader.Builder()
                .put("200", response(about, content))
                .put("default", response("Why there is none.", content(JsonResponseWriter.TYPE, reference("error"))))
                .build();
    }

    private static JsonObjectReader info() {
        return new JsonObjectReader.Builder()
                .put("title", "Flotilla orchestrator")
                .put("version", "v1")
                .put(
                        "description",
                        "What the orchestrator knows, read-only. Things are changed through Kafka. Members may be added;"
                                + " those that are here stay.")
                .build();
    }

    private static JsonValue security() {
        JsonObjectReader open = new JsonObjectReader.Builder().build();
        return list(List.of(object("bearer", list(List.of())), object("certificate", list(List.of())), open));
    }

    private JsonObjectReader components() {
        JsonObjectReader schemes = new JsonObjectReader.Builder()
                .put(
                        "bearer",
                        object("type", "http").toBuilder()
                                .put("scheme", "bearer")
                                .build())
                .put("certificate", object("type", "mutualTLS"))
                .build();
        return new JsonObjectReader.Builder()
                .put("securitySchemes", schemes)
                .put("schemas", schemas.build())
                .build();
    }

    private static JsonObjectReader response(String description, JsonObjectReader content) {
        return new JsonObjectReader.Builder()
                .put("description", description)
                .put("content", content)
                .build();
    }

    private static JsonObjectReader content(String type, JsonObjectReader schema) {
        return object(type, object("schema", schema));
    }

    private static JsonObjectReader reference(String name) {
        return object("$ref", "#/components/schemas/" + name);
    }

    private static JsonObjectReader object(String name, String value) {
        return new JsonObjectReader.Builder().put(name, value).build();
    }

    private static JsonObjectReader object(String name, JsonValue value) {
        return new JsonObjectReader.Builder().put(name, value).build();
    }

    private static JsonValue list(List<JsonObjectReader> items) {
        return new JsonValue.JsonArray(List.copyOf(items), JsonValue.NO_LINE);
    }
}
