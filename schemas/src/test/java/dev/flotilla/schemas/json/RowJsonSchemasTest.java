package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import dev.flotilla.schemas.json.rows.RowType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowJsonSchemasTest {
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final SchemaValidatorsConfig STRICT =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    static JsonSchema schema(RowType type) {
        return FACTORY.getSchema(RowJsonSchemas.document(type), STRICT);
    }

    @ParameterizedTest
    @EnumSource
    void committedSchemaIsUpToDate(RowType type) {
        GoldenFiles.check(GoldenFiles.SCHEMAS.resolve(RowJsonSchemas.fileName(type)), RowJsonSchemas.document(type));
    }

    @ParameterizedTest
    @EnumSource
    void schemaIsValidAgainstTheMetaSchema(RowType type) {
        JsonSchema meta = FACTORY.getSchema(SchemaLocation.of(SchemaId.V202012), STRICT);
        assertThat(meta.validate(RowJsonSchemas.document(type), InputFormat.JSON))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyPropertyIsDescribed(RowType type) throws IOException {
        Map<String, String> described = new TreeMap<>();
        describe(new ObjectMapper().readTree(RowJsonSchemas.document(type)), type.label(), described);
        assertThat(described)
                .isNotEmpty()
                .allSatisfy((property, text) -> assertThat(text).as(property).hasSizeGreaterThan(4));
    }

    private static void describe(JsonNode node, String path, Map<String, String> into) {
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            into.put(
                    path + "." + property.getKey(),
                    property.getValue().path("description").asText());
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            describe(member.getValue(), path + "." + member.getKey(), into);
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            describe(node.get(i), path + "[" + i + "]", into);
        }
    }

    @Test
    void noSchemaIsLeftOfADeletedType() throws IOException {
        try (Stream<Path> files = Files.list(GoldenFiles.SCHEMAS)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".schema.json")))
                    .containsExactlyInAnyOrderElementsOf(Stream.of(RowType.values())
                            .map(RowJsonSchemas::fileName)
                            .toList());
        }
    }

    @Test
    void schemaRejectsWhatTheCodecRejects() {
        String bare = "{\"site\":\"berlin\",\"managementUid\":\"u\",\"watcher\":\"w\",\"sentAt\":\"yesterday\"}";
        assertThat(schema(RowType.HEARTBEAT).validate(bare, InputFormat.JSON)).hasSize(1);
    }
}
