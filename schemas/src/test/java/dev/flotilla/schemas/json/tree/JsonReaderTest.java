package dev.flotilla.schemas.json.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.RejectionReason;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The caller sets the maximum size of a document, because responses of processes are longer than any record. */
class JsonReaderTest {
    private static final byte[] LONG =
            ("[" + "\"0123456789\",".repeat(DocumentLimits.RECORD_BYTES / 10) + "1]").getBytes(StandardCharsets.UTF_8);

    @Test
    void readsADocumentUpToTheAllowedSize() {
        assertThat(LONG).hasSizeGreaterThan(DocumentLimits.RECORD_BYTES);
        assertThat(JsonReader.read(LONG, LONG.length)).isInstanceOf(ParseResult.ParsedDocument.class);
    }

    @Test
    void rejectsADocumentAboveTheAllowedSize() {
        assertThat(JsonReader.read(LONG, LONG.length - 1))
                .isInstanceOfSatisfying(
                        ParseResult.UnparsableDocument.class,
                        unparsableDocument ->
                                assertThat(unparsableDocument.error().reason()).isEqualTo(RejectionReason.TOO_LARGE));
    }
}
