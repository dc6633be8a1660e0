package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Decodes mutated records. {@code -Dflotilla.fuzz.seed} repeats a run, {@code -Dflotilla.fuzz.records} sets the number of records
 * for each decoder; the profile {@code whole} uses five times as many.
 */
@Execution(ExecutionMode.CONCURRENT)
class RowDecoderFuzzTest {
    private static final long SEED = Long.getLong("flotilla.fuzz.seed", 20260102L);
    private static final int RECORDS = Integer.getInteger("flotilla.fuzz.records", 20_000);

    @ParameterizedTest
    @EnumSource
    void mutatedRecordIsAcceptedOrRejected(RowType type) {
        List<byte[]> good = SampleRows.all().values().stream()
                .filter(row -> RowType.of(row) == type)
                .map(RowCodec::encode)
                .toList();
        Random random = new Random(SEED + type.label().hashCode());
        JsonMutator mutator = new JsonMutator(random);
        long slowest = 0;
        int taken = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] mutated = mutator.mutate(good.get(random.nextInt(good.size())));
            long began = System.nanoTime();
            DecodeResult<TableRow> decodeResult = decode(type, mutated, i);
            slowest = Math.max(slowest, System.nanoTime() - began);
            if (decodeResult instanceof DecodeResult.Accepted<TableRow> accepted) {
                taken++;
                assertThat(RowCodec.decode(type, RowCodec.encode(accepted.value())))
                        .as("an accepted record is encoded and decoded again, seed %d record %d", SEED, i)
                        .isEqualTo(decodeResult);
            }
        }
        System.out.printf(
                "fuzz %-16s seed %d: %d records, %d taken, slowest %d us%n",
                type.label(), SEED, RECORDS, taken, slowest / 1_000);
        assertThat(taken).as("some mutations are harmless, most are not").isBetween(1, RECORDS - 1);
    }

    private static DecodeResult<TableRow> decode(RowType type, byte[] bytes, int number) {
        try {
            return RowCodec.decode(type, bytes);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(
                    "seed " + SEED + " record " + number + ": " + new String(bytes, StandardCharsets.UTF_8), e);
        }
    }

    @Test
    void recordWithMutatedTopicOrKeyIsAcceptedOrRejected() {
        List<TableRow> rows = List.copyOf(SampleRows.all().values());
        Random random = new Random(SEED);
        JsonMutator mutator = new JsonMutator(random);
        int taken = 0;
        for (int i = 0; i < RECORDS; i++) {
            WireRecord good = WireRecordCodec.encode(rows.get(random.nextInt(rows.size())), 1L);
            WireRecord bad = new WireRecord(
                    random.nextInt(4) == 0 ? mutator.mutate(good.topic()) : good.topic(),
                    0,
                    good.key() == null || random.nextBoolean() ? good.key() : mutator.mutate(good.key()),
                    random.nextInt(8) == 0 ? null : good.value(),
                    new WireHeaders(
                            random.nextInt(4) == 0
                                    ? mutator.mutate(good.headers().type())
                                    : good.headers().type(),
                            random.nextInt(4) == 0 ? mutator.mutate("1") : "1",
                            mutator.mutate("1")));
            DecodeResult<RowChange> decodeResult = WireRecordCodec.decode(bad);
            if (decodeResult instanceof DecodeResult.Accepted<RowChange> accepted) {
                taken++;
                WireRecord again = WireRecordCodec.encode(accepted.value());
                assertThat(again.topic()).isEqualTo(bad.topic());
            }
        }
        assertThat(taken).as("some mutations are harmless, most are not").isBetween(1, RECORDS - 1);
    }

    @Test
    void mutatedFileIsAcceptedOrRejected() {
        String yaml = SampleSpecificationFiles.CAMPAIGN;
        Random random = new Random(SEED);
        JsonMutator mutator = new JsonMutator(random);
        int taken = 0;
        for (int i = 0; i < RECORDS / 10; i++) {
            String mutated = mutator.mutate(yaml);
            FileReadResult<Campaign> read = CampaignFileReader.read(mutated);
            PolicyFileReader.read(mutated);
            if (read instanceof FileReadResult.ValidFile<Campaign> validFile) {
                taken++;
                assertThat(RowCodec.decode(RowType.CAMPAIGN, RowCodec.encode(validFile.value())))
                        .isEqualTo(new DecodeResult.Accepted<>(validFile.value()));
            }
        }
        assertThat(taken).as("some mutations are harmless, most are not").isBetween(1, RECORDS / 10 - 1);
    }
}
