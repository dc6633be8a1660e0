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

/** The document says what the server does, no less and no more. */
class ApiDocumentIT {
    private static final Map<String, String> PARTS =
            Map.of("site", "north", "namespace", "default", "name", "a-w-0", "key", "north%2Fdefault%2Fa-cp-1");

    private final ObjectMapper mapper = new ObjectMapper();
    private ApiTestServer server;
    private JsonNode document;

    @BeforeEach
    void start() throws Exception {
        server = new ApiTestServer();
        server.fleet.site("north");
        server.fleet.cluster("north", "a", 3, 30);
        server.fleet.campaign("a-w-0", 10);
        document = server.json("/api/v1/openapi.json");
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private JsonSchema schema(JsonNode schema) {
        JsonNode whole =
                schema.has("$ref") ? document.at(schema.path("$ref").asText().substring(1)) : schema;
        assertThat(whole.isMissingNode()).as("%s leads somewhere", schema).isFalse();
        SchemaValidatorsConfig strict =
                SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(closed(whole.deepCopy()), strict);
    }

    /** The same, refusing what is not described: here a member more than the document says is a mistake. */
    private static JsonNode closed(JsonNode node) {
        if (node instanceof ObjectNode object && object.has("properties") && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
        node.forEach(ApiDocumentIT::closed);
        return node;
    }

    private void assertAnswers(String path, String url) throws Exception {
        HttpResponse<String> response = server.get(url);
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
    void everyAnswerIsAsTheDocumentSays() throws Exception {
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            if (path.getKey().equals(OpenApiDocument.EVENTS)) {
                continue;
            }
            String url = path.getKey();
            for (Map.Entry<String, String> part : PARTS.entrySet()) {
                url = url.replace("{" + part.getKey() + "}", part.getValue());
            }
            assertThat(url).doesNotContain("{");
            assertThat(server.get(url).statusCode()).as(url).isEqualTo(200);
            assertAnswers(path.getKey(), url);
            assertAnswers(path.getKey(), url.replace("a-w-0", "none").replace("a-cp-1", "none"));
            assertAnswers(path.getKey(), url.replace("default", "%00"));
            if (path.getKey().startsWith("/api/") && !path.getKey().equals(OpenApiDocument.PATH)) {
                assertAnswers(path.getKey(), url + "?nonsense=1");
                assertThat(server.get(url + "?nonsense=1").statusCode()).as(url).isEqualTo(400);
            }
        }
    }

    @Test
    void everyMachineInEveryStateIsAsTheDocumentSays() throws Exception {
        for (String state : List.of("", "waiting", "admitted", "idle", "quarantined")) {
            assertAnswers("/api/v1/machines", "/api/v1/machines" + (state.isEmpty() ? "" : "?state=" + state));
        }
    }

    @Test
    void anEventIsAsTheDocumentSays() throws Exception {
        server.ring.publish(7, TestFleet.START, "attempt-admitted", "north/default/a-w-0", "its \"turn\"\n");
        try (EventStreamClient client = new EventStreamClient(server.endpoint.uri(), "0")) {
            String data = client.await("attempt-admitted").data();
            assertThat(schema(document.at("/components/schemas/event")).validate(data, InputFormat.JSON))
                    .isEmpty();
        }
    }

    @Test
    void noRouteIsUndocumentedAndNoDocumentIsWithoutRoute() {
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
    void everyMemberIsDescribed() {
        Map<String, String> described = new TreeMap<>();
        JsonNode schemas = document.path("components").path("schemas");
        describe(schemas, "", described);
        assertThat(described)
                .as("members of the %d schemas", schemas.size())
                .hasSizeGreaterThan(schemas.size())
                .allSatisfy((member, text) -> assertThat(text).as(member).hasSizeGreaterThan(3));
    }

    private static void describe(JsonNode node, String path, Map<String, String> into) {
        node.path("properties")
                .properties()
                .forEach(property -> into.put(
                        path + "." + property.getKey(),
                        property.getValue().path("description").asText()));
        node.properties().forEach(member -> describe(member.getValue(), path + "." + member.getKey(), into));
    }

    @Test
    void aProgramThatReadsTheDocumentFindsItWellFormed() throws Exception {
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
        List<String> ids = new ArrayList<>();
        document.path("paths")
                .forEach(path -> ids.add(path.path("get").path("operationId").asText()));
        assertThat(ids).doesNotHaveDuplicates().doesNotContain("");
        assertThat(mapper.readTree(server.api.openApiDocument())).isEqualTo(document);
    }
}
