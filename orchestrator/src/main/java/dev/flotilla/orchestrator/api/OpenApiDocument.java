package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.events.EventSubscriptionHandler;
import dev.flotilla.orchestrator.api.request.ApiParameter;
import dev.flotilla.orchestrator.state.FleetEvent;
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

/** The OpenAPI document, generated from the operations themselves, so that it always matches them. */
final class OpenApiDocument {
    static final String PATH = "/api/v1/openapi.json";
    static final String EVENTS = "/api/v1/events";

    private static final String TEXT = "text/plain";

    private final JsonObjectReader.Builder paths = new JsonObjectReader.Builder();
    private final JsonObjectReader.Builder schemas = new JsonObjectReader.Builder();

    private OpenApiDocument() {}

    static String generate(List<ApiOperation<?>> operations) {
        return new OpenApiDocument().generateAll(operations);
    }

    private String generateAll(List<ApiOperation<?>> operations) {
        schemas.put("error", HttpErrorResponse.CODEC.schema());
        operations.forEach(this::addOperation);
        schemas.put("event", FleetEvent.CODEC.schema());
        add(
                EVENTS,
                "events",
                "Decisions as server-sent events, as they are committed.",
                eventParameters(),
                streamResponses());
        JsonObjectReader self = object("type", "object");
        add(PATH, "openapi", "This document.", List.of(), responses(content(JsonResponseWriter.TYPE, self)));
        schemas.put("health", HealthStatus.CODEC.schema());
        add(
                HealthAndMetricsRoutes.ALIVE,
                "healthz",
                "Liveness: whether the process may keep running.",
                List.of(),
                probeResponses());
        add(
                HealthAndMetricsRoutes.READY,
                "readyz",
                "Readiness: whether the process does its work; its status is leader or standby.",
                List.of(),
                probeResponses());
        JsonObjectReader text = object("type", "string");
        add(
                HealthAndMetricsRoutes.METRICS,
                "metrics",
                "Metrics for Prometheus.",
                List.of(),
                responses(content(TEXT, text)));
        return PrettyJsonPrinter.print(new JsonObjectReader.Builder()
                .put("openapi", "3.1.0")
                .put("info", info())
                .put("jsonSchemaDialect", RowJsonSchemas.DIALECT)
                .put("security", security())
                .put("paths", paths.build())
                .put("components", components())
                .build());
    }

    private void addOperation(ApiOperation<?> apiOperation) {
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
                responses(content(JsonResponseWriter.TYPE, reference(title))));
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

    private static JsonObjectReader responses(JsonObjectReader content) {
        return new JsonObjectReader.Builder()
                .put("200", response("The response.", content))
                .put("default", response("The error.", content(JsonResponseWriter.TYPE, reference("error"))))
                .build();
    }

    private static JsonObjectReader probeResponses() {
        JsonObjectReader health = content(JsonResponseWriter.TYPE, reference("health"));
        return new JsonObjectReader.Builder()
                .put("200", response("Healthy.", health))
                .put("503", response("Not healthy.", health))
                .build();
    }

    private static List<JsonObjectReader> eventParameters() {
        JsonObjectReader number = object("type", "string").toBuilder()
                .put("pattern", "^[0-9]{1,18}$")
                .build();
        JsonObjectReader header = new JsonObjectReader.Builder()
                .put("name", EventSubscriptionHandler.LAST_EVENT_ID)
                .put("in", "header")
                .put("required", false)
                .put("description", "Number of the last event that was received; the stream starts after it.")
                .put("schema", number)
                .build();
        return List.of(
                header,
                ApiParameter.queryParameter("after", "The same, for clients that cannot send the header.")
                        .withSchema(number)
                        .toOpenApi());
    }

    private static JsonObjectReader streamResponses() {
        String description =
                "Frames with id (the event's seq), event (its label) and data (components/schemas/event). A frame"
                        + " named gap means that events after its \"after\" are missing: read the state again.";
        JsonObjectReader content = content("text/event-stream", object("type", "string"));
        return new JsonObjectReader.Builder()
                .put("200", response(description, content))
                .put("default", response("The error.", content(JsonResponseWriter.TYPE, reference("error"))))
                .build();
    }

    private static JsonObjectReader info() {
        return new JsonObjectReader.Builder()
                .put("title", "Flotilla orchestrator")
                .put("version", "v1")
                .put(
                        "description",
                        "The state of the fleet, read-only. Changes go through Kafka. New members may be added;"
                                + " existing ones stay.")
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
