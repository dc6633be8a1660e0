package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireRecordCodecTest {
    static Stream<String> samples() {
        return SampleRows.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void rowIsDecodedAndEncodedToTheSameBytes(String name) {
        TableRow row = SampleRows.all().get(name);
        WireRecord record = WireRecordCodec.encode(row, 7L);
        DecodeResult<RowChange> decodeResult = WireRecordCodec.decode(record);
        assertThat(decodeResult)
                .as(new String(record.value(), StandardCharsets.UTF_8))
                .isEqualTo(new DecodeResult.Accepted<>(row));
        assertThat(WireRecordCodec.encode(row, 7L)).isEqualTo(record);
        assertThat(record.headers().seqNumber()).isEqualTo(7L);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void tombstoneIsDecoded(String name) {
        TableRow row = SampleRows.all().get(name);
        if (row instanceof JournalRecord) {
            return;
        }
        RowChange tombstone = new Tombstone(row.rowKey());
        assertThat(WireRecordCodec.decode(WireRecordCodec.encode(tombstone)))
                .isEqualTo(new DecodeResult.Accepted<>(tombstone));
    }

    @Test
    void rowsInAJournalRecordHaveTheSameBytesAsAlone() {
        List<RowChange> facts = new ArrayList<>();
        for (TableRow row : SampleRows.all().values()) {
            if (!(row instanceof JournalRecord)) {
                facts.add(row);
                facts.add(new Tombstone(row.rowKey()));
            }
        }
        JournalRecord said = new JournalRecord(7, Instant.EPOCH, "happened", "it", "because", facts, "");

        WireRecordCodec.JournalWireRecords journalWireRecords = WireRecordCodec.encodeJournalRecord(said);

        assertThat(journalWireRecords.journal()).isEqualTo(WireRecordCodec.encode(said, 7L));
        assertThat(journalWireRecords.changes())
                .isEqualTo(facts.stream()
                        .map(rowChange -> WireRecordCodec.encode(rowChange, 7L))
                        .toList());
    }
}
