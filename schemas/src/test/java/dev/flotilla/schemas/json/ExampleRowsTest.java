package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.row.TableRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExampleRowsTest {
    static Stream<String> names() {
        return SampleRows.all().keySet().stream();
    }

    private static Path file(String name) {
        return GoldenFiles.EXAMPLES.resolve(name + ".json");
    }

    @ParameterizedTest
    @MethodSource("names")
    void exampleIsTheEncodedSample(String name) {
        GoldenFiles.check(
                file(name), new String(RowCodec.encode(SampleRows.all().get(name)), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("names")
    void exampleIsValidAgainstItsSchema(String name) {
        RowType type = RowType.of(SampleRows.all().get(name));
        assertThat(RowJsonSchemasTest.schema(type).validate(GoldenFiles.read(file(name)), InputFormat.JSON))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void exampleIsDecodedAndEncodedToTheSameBytes(String name) throws IOException {
        TableRow row = SampleRows.all().get(name);
        byte[] bytes = Files.readAllBytes(file(name));
        assertThat(RowCodec.decode(RowType.of(row), bytes)).isEqualTo(new DecodeResult.Accepted<>(row));
        assertThat(RowCodec.encode(row)).isEqualTo(bytes);
    }

    @Test
    void everyTypeHasAnExample() {
        Set<RowType> seen = EnumSet.noneOf(RowType.class);
        SampleRows.all().values().forEach(row -> seen.add(RowType.of(row)));
        assertThat(seen).containsExactly(RowType.values());
    }

    @Test
    void noExampleIsUnused() throws IOException {
        try (Stream<Path> files = Files.list(GoldenFiles.EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".json", "")))
                    .containsExactlyInAnyOrderElementsOf(SampleRows.all().keySet());
        }
    }
}
