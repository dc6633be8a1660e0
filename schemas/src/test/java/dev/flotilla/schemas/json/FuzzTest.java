package dev.flotilla.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.json.file.CampaignFile;
import dev.flotilla.schemas.json.file.FileRead;
import dev.flotilla.schemas.json.file.PolicyFile;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records as nobody would write them. {@code -Dflotilla.fuzz.seed} repeats a run, {@code -Dflotilla.fuzz.records} sets how
 * many each decoder gets: the profile {@code whole} gives five times as many.
 */
@Execution(ExecutionMode.CONCURRENT)
class FuzzTest {
    private static final long SEED = Long.getLong("flotilla.fuzz.seed", 20260102L);
    private static final int RECORDS = Integer.getInteger("flotilla.fuzz.records", 20_000);
    /** Far above what a record costs, and far below what a hang costs: a collection of garbage may fall into it. */
    private static final long BOUND_NANOS = 2_000_000_000L;

    @ParameterizedTest
    @EnumSource
    void aMutatedRecordIsTakenOrRefusedAndNothingElse(RowType type) {
        List<byte[]> good = Samples.all().values().stream()
                .filter(row -> RowType.of(row) == type)
                .map(Codecs::encode)
                .toList();
        Random random = new Random(SEED + type.label().hashCode());
        Mutator mutator = new Mutator(random);
        long slowest = 0;
        int taken = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] mutated = mutator.mutate(good.get(random.nextInt(good.size())));
            long began = System.nanoTime();
            Decoded<Row> decoded = decode(type, mutated, i);
            slowest = Math.max(slowest, System.nanoTime() - began);
            if (decoded instanceof Decoded.Accepted<Row> accepted) {
                taken++;
                assertThat(Codecs.decode(type, Codecs.encode(accepted.value())))
                        .as("what was taken is written and read again, seed %d record %d", SEED, i)
                        .isEqualTo(decoded);
            }
        }
        System.out.printf(
                "fuzz %-16s seed %d: %d records, %d taken, slowest %d us%n",
                type.label(), SEED, RECORDS, taken, slowest / 1_000);
        assertThat(slowest).isLessThan(BOUND_NANOS);
        assertThat(taken).as("some mutations are harmless, most are not").isBetween(1, RECORDS - 1);
    }

    private static Decoded<Row> decode(RowType type, byte[] bytes, int number) {
        try {
            return Codecs.decode(type, bytes);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(
                    "seed " + SEED + " record " + number + ": " + new String(bytes, StandardCharsets.UTF_8), e);
        }
    }

    @Test
    void aMutatedPlaceIsTakenOrRefusedAndNothingElse() {
        List<Row> rows = List.copyOf(Samples.all().values());
        Random random = new Random(SEED);
        Mutator mutator = new Mutator(random);
        int taken = 0;
        for (int i = 0; i < RECORDS; i++) {
            WireRecord good = Wire.encode(rows.get(random.nextInt(rows.size())), 1L);
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
            Decoded<Fact> decoded = Wire.decode(bad);
            if (decoded instanceof Decoded.Accepted<Fact> accepted) {
                taken++;
                WireRecord again = Wire.encode(accepted.value());
                assertThat(again.topic()).isEqualTo(bad.topic());
            }
        }
        assertThat(taken).as("some mutations are harmless, most are not").isBetween(1, RECORDS - 1);
    }

    @Test
    void aMutatedFileIsTakenOrRefusedAndNothingElse() {
        String yaml = SpecificationFiles.CAMPAIGN;
        Random random = new Random(SEED);
        Mutator mutator = new Mutator(random);
        int taken = 0;
        for (int i = 0; i < RECORDS / 10; i++) {
            String mutated = mutator.mutate(yaml);
            FileRead<Campaign> read = CampaignFile.read(mutated);
            PolicyFile.read(mutated);
            if (read instanceof FileRead.Good<Campaign> good) {
                taken++;
                assertThat(Codecs.decode(RowType.CAMPAIGN, Codecs.encode(good.value())))
                        .isEqualTo(new Decoded.Accepted<>(good.value()));
            }
        }
        assertThat(taken).as("some mutations are harmless, most are not").isBetween(1, RECORDS / 10 - 1);
    }
}
