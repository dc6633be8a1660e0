package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Row;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {
    static Stream<String> samples() {
        return Samples.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aRowSurvivesTheWireAndItsBytesAreWrittenAgainAsTheyWere(String name) {
        Row row = Samples.all().get(name);
        WireRecord record = Wire.encode(row, 7L);
        Decoded<Fact> decoded = Wire.decode(record);
        assertThat(decoded)
                .as(new String(record.value(), StandardCharsets.UTF_8))
                .isEqualTo(new Decoded.Accepted<>(row));
        assertThat(Wire.encode(row, 7L)).isEqualTo(record);
        assertThat(record.headers().seqNumber()).isEqualTo(7L);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aTombstoneSurvivesTheWire(String name) {
        Row row = Samples.all().get(name);
        if (row instanceof JournalRecord) {
            return;
        }
        Fact gone = new Gone(row.at());
        assertThat(Wire.decode(Wire.encode(gone))).isEqualTo(new Decoded.Accepted<>(gone));
    }

    @Test
    void theRowsThatAJournalRecordTellsAreSpelledAsByThemselves() {
        List<Fact> facts = new ArrayList<>();
        for (Row row : Samples.all().values()) {
            if (!(row instanceof JournalRecord)) {
                facts.add(row);
                facts.add(new Gone(row.at()));
            }
        }
        JournalRecord said = new JournalRecord(7, Instant.EPOCH, "happened", "it", "because", facts, "");

        Wire.Told told = Wire.tell(said);

        assertThat(told.journal()).isEqualTo(Wire.encode(said, 7L));
        assertThat(told.facts())
                .isEqualTo(facts.stream().map(fact -> Wire.encode(fact, 7L)).toList());
    }
}
