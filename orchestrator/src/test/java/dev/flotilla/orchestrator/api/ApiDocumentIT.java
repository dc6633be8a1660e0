package dev.flotilla.orchestrator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import io.vertx.ext.web.Router;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that the OpenAPI document matches what the server does. */
class ApiDocumentIT {
    private static final Map<String, String> PATH_VALUES =
            Map.of("site", "north", "namespace", "default", "name", "a-w-0", "key", "north%2Fdefault%2Fa-cp-1");

    private final ObjectMapper mapper = new ObjectMapper();
    private ApiTestServer server;
    private JsonNode document;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
        server.fleet.addSite("north");
        server.fleet.addCluster("north", "a", 3, 30);
        server.fleet.addCampaign("a-w-0", 10);
        document = server.readJson("/api/v1/openapi.json");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private JsonSchema schema(JsonNode schema) {
        JsonNode resolved =
                schema.has("$ref") ? document.at(schema.path("$ref").asText().substring(1)) : schema;
        assertThat(resolved.isMissingNode()).as("%s refers to a schema", schema).isFalse();
        SchemaValidatorsConfig strict =
                SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(closeSchema(resolved.deepCopy()), strict);
    }

    /** A copy of the schema that rejects members that are not described. */
    private static JsonNode closeSchema(JsonNode node) {
        if (node instanceof ObjectNode object && object.has("properties") && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(ApiDocumentIT::closeSchema);
        return node;
    }

    private void assertMatchesDocument(String path, String url) throws Exception {
        HttpResponse<String> response = server.send(url);
        JsonNode responses = document.path("paths").path(path).path("get").path("responses");
        String status = Integer.toString(response.statusCode());
        JsonNode content =
                responses.path(responses.has(status) ? status : "default").path("content");
        String type = response.headers().firstValue("content-type").orElse("").replaceFirst(";.*", "");
        assertThat(content.has(type)).as("%s answers %s %s", url, status, type).isTrue();
        if (type.equals("application/json")) {
            assertThat(schema(content.path(type).path("schema")).validate(response.body(), InputFormat.JSON))
                    .as("%s: %s", url, response.body())
                    .isEmpty();
        }
    }

    @Test
    void everyResponseMatchesTheDocument() throws Exception {
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            if (path.getKey().equals(OpenApiDocument.EVENTS)) {
                continue;
            }
            String url = path.getKey();
            for (Map.Entry<String, String> part : PATH_VALUES.entrySet()) {
                url = url.replace("{" + part.getKey() + "}", part.getValue());
            }
            assertThat(url).doesNotContain("{");
            assertThat(server.send(url).statusCode()).as(url).isEqualTo(200);
            assertMatchesDocument(path.getKey(), url);
            assertMatchesDocument(path.getKey(), url.replace("a-w-0", "none").replace("a-cp-1", "none"));
            assertMatchesDocument(path.getKey(), url.replace("default", "%00"));
            if (path.getKey().startsWith("/api/") && !path.getKey().equals(OpenApiDocument.PATH)) {
                assertMatchesDocument(path.getKey(), url + "?nonsense=1");
                assertThat(server.send(url + "?nonsense=1").statusCode())
                        .as(url)
                        .isEqualTo(400);
            }
        }
    }

    @Test
    void machinesInEveryStateMatchTheDocument() throws Exception {
        for (String state : List.of("", "waiting", "admitted", "in-flight", "not-targeted", "quarantined")) {
            assertMatchesDocument("/api/v1/machines", "/api/v1/machines" + (state.isEmpty() ? "" : "?state=" + state));
        }
    }

    @Test
    void eventsMatchTheDocument() throws Exception {
        server.eventBuffer.publish(7, TestFleet.START, "attempt-admitted", "north/default/a-w-0", "its \"turn\"\n");
        try (EventStreamClient client = new EventStreamClient(server.httpServer.uri(), "0")) {
            String data = client.awaitEvent("attempt-admitted").data();
            assertThat(schema(document.at("/components/schemas/event")).validate(data, InputFormat.JSON))
                    .isEmpty();
        }
    }

    @Test
    void documentsExactlyTheRoutesThatExist() {
        Router router = Router.router(server.vertx);
        server.api.mount(router);
        List<String> routes = router.getRoutes().stream()
                .map(route -> route.getPath().replaceAll(":([a-z]+)", "{$1}"))
                .toList();
        List<String> documented = new ArrayList<>();
        document.path("paths").fieldNames().forEachRemaining(documented::add);
        assertThat(new TreeSet<>(documented))
                .containsExactlyElementsOf(
                        new TreeSet<>(Stream.concat(routes.stream(), Stream.of("/healthz", "/readyz", "/metrics"))
                                .toList()));
    }

    @Test
    void describesEveryMember() {
        Map<String, String> described = new TreeMap<>();
        JsonNode schemas = document.path("components").path("schemas");
        describe(schemas, "", described);
        assertThat(described)
                .as("members of the %d schemas", schemas.size())
                .hasSizeGreaterThan(schemas.size())
                .allSatisfy((member, text) -> assertThat(text).as(member).hasSizeGreaterThan(3));
    }

    private static void describe(JsonNode node, String path, Map<String, String> described) {
        node.path("properties")
                .properties()
                .forEach(property -> described.put(
                        path + "." + property.getKey(),
                        property.getValue().path("description").asText()));
        node.properties().forEach(member -> describe(member.getValue(), path + "." + member.getKey(), described));
    }

    @Test
    void documentIsValidOpenApi() throws Exception {
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
        List<String> ids = new ArrayList<>();
        document.path("paths")
                .forEach(path -> ids.add(path.path("get").path("operationId").asText()));
        assertThat(ids).doesNotHaveDuplicates().doesNotContain("");
        assertThat(mapper.readTree(server.api.openApiDocument())).isEqualTo(document);
    }
}
