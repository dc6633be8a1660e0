package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.row.Row;
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

class ExamplesTest {
    static Stream<String> names() {
        return Samples.all().keySet().stream();
    }

    private static Path file(String name) {
        return Golden.EXAMPLES.resolve(name + ".json");
    }

    @ParameterizedTest
    @MethodSource("names")
    void anExampleIsWhatWeWrite(String name) {
        Golden.check(file(name), new String(Codecs.encode(Samples.all().get(name)), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("names")
    void anExampleValidatesAgainstItsSchema(String name) {
        RowType type = RowType.of(Samples.all().get(name));
        assertThat(SchemasTest.schema(type).validate(Golden.read(file(name)), InputFormat.JSON))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void anExampleIsReadAndWrittenAgainByteForByte(String name) throws IOException {
        Row row = Samples.all().get(name);
        byte[] bytes = Files.readAllBytes(file(name));
        assertThat(Codecs.decode(RowType.of(row), bytes)).isEqualTo(new Decoded.Accepted<>(row));
        assertThat(Codecs.encode(row)).isEqualTo(bytes);
    }

    @Test
    void everyTypeHasAnExample() {
        Set<RowType> seen = EnumSet.noneOf(RowType.class);
        Samples.all().values().forEach(row -> seen.add(RowType.of(row)));
        assertThat(seen).containsExactly(RowType.values());
    }

    @Test
    void noExampleIsLeftOver() throws IOException {
        try (Stream<Path> files = Files.list(Golden.EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".json", "")))
                    .containsExactlyInAnyOrderElementsOf(Samples.all().keySet());
        }
    }
}
