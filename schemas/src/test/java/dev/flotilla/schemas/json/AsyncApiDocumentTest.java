package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.rows.RowType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AsyncApiDocumentTest {
    private final JsonNode document;

    AsyncApiDocumentTest() throws IOException {
        document = new ObjectMapper().readTree(AsyncApiDocument.document());
    }

    @Test
    void committedDocumentIsUpToDate() {
        GoldenFiles.check(GoldenFiles.SCHEMAS.resolve(AsyncApiDocument.FILE_NAME), AsyncApiDocument.document());
    }

    @Test
    void namesItsFormatAndTitle() {
        assertThat(document.path("asyncapi").asText()).isEqualTo("3.0.0");
        assertThat(document.path("info").path("title").asText()).isNotEmpty();
        assertThat(document.path("info").path("version").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyTableHasAChannelWithItsRowTypes(Table table) {
        JsonNode channel = document.path("channels").path(table.label());
        assertThat(channel.path("address").asText()).startsWith("flotilla." + table.label());
        assertThat(channel.has("parameters")).isEqualTo(table.isPerSite());
        assertThat(channel.path("bindings").path("kafka").path("partitions").asInt())
                .isEqualTo(table.partitions());
        assertThat(channel.path("messages").properties().stream().map(message -> message.getKey()))
                .containsExactlyElementsOf(Stream.of(RowType.values())
                        .filter(type -> type.table() == table)
                        .map(RowType::label)
                        .toList());
    }

    @Test
    void everyReferenceResolves() {
        assertThat(document.findValuesAsText("$ref"))
                .hasSizeGreaterThan(RowType.values().length)
                .allSatisfy(ref -> {
                    if (ref.startsWith("#")) {
                        assertThat(document.at(ref.substring(1)).isMissingNode())
                                .as(ref)
                                .isFalse();
                    } else {
                        assertThat(Files.exists(GoldenFiles.SCHEMAS.resolve(ref)))
                                .as(ref)
                                .isTrue();
                    }
                });
    }

    @Test
    void everyOperationNamesItsWriterOrReader() {
        assertThat(document.path("operations").properties())
                .hasSizeGreaterThan(20)
                .allSatisfy(operation -> {
                    assertThat(operation.getValue().path("action").asText()).isIn("send", "receive");
                    assertThat(operation.getValue().path("channel").has("$ref")).isTrue();
                });
    }
}
