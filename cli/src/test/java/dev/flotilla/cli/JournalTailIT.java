package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.testkit.kafka.ForeignTransaction;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs {@code journal tail} on a long journal, whose offsets have a gap near its end. */
class JournalTailIT {
    private static final long RECORDS = 3_000;
    private static final long BEFORE_GAP = RECORDS - 10;
    private static final int GAP = 100;
    private static final int PATIENCE_SECONDS = 60;

    private final Random random = new Random(7);
    private KafkaFleetFixture fleet;

    @BeforeEach
    void start() {
        fleet = new KafkaFleetFixture();
        assertThat(fleet.run("site add east").exit()).isZero();
        write(1, BEFORE_GAP);
        try (ForeignTransaction aborted =
                ForeignTransaction.begin(fleet.bootstrap(), "stranger", Duration.ofMinutes(1))) {
            for (int i = 0; i < GAP; i++) {
                aborted.write(Topic.of(Table.JOURNAL).name(), 0);
            }
            aborted.abort();
        }
        write(BEFORE_GAP + 1, RECORDS);
    }

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void readsOnlyTheEndOfTheJournal() throws JMException {
        CliResult last = fleet.run("journal tail");
        assertThat(seqs(last.out().lines().skip(1).toList())).isEqualTo(range(RECORDS - 19, RECORDS));
        CliResult since = fleet.run("journal tail -o json --since " + (RECORDS - 40));
        assertThat(new JsonObject(since.out()).getJsonArray("records"))
                .extracting(record -> ((JsonObject) record).getLong("seq"))
                .isEqualTo(range(RECORDS - 40, RECORDS));
        long ofTails = bytesRead();
        assertThat(fleet.run("journal export").out().lines()).hasSize((int) RECORDS);
        long ofExport = bytesRead() - ofTails;

        assertThat(ofTails).isPositive().isLessThan(ofExport / 2);
        assertThat(seqs(fleet.run("journal tail --since 4")
                        .out()
                        .lines()
                        .skip(1)
                        .toList()))
                .isEqualTo(range(4, RECORDS));
        assertThat(fleet.run("journal tail --since " + (RECORDS + 1)).out().lines())
                .singleElement()
                .asString()
                .startsWith("SEQ");
    }

    @Test
    void followsWithALineForEachRecordUntilItIsInterrupted() throws Exception {
        try (RunningTail tail = new RunningTail("--follow")) {
            List<String> first = tail.lines(21);
            assertThat(seqs(first.subList(1, 21))).isEqualTo(range(RECORDS - 19, RECORDS));
            write(RECORDS + 1, RECORDS + 2);
            List<String> later = tail.lines(2);
            assertThat(seqs(later)).isEqualTo(range(RECORDS + 1, RECORDS + 2));
            assertThat(later)
                    .allMatch(line -> line.indexOf("inventory-changed")
                            == first.getFirst().indexOf("EVENT"));
            write(RECORDS + 3, RECORDS + 3);
            assertThat(seqs(tail.lines(1))).isEqualTo(range(RECORDS + 3, RECORDS + 3));
            assertThat(tail.interrupt()).isEqualTo(ExitCode.INTERRUPTED);
        }
    }

    @Test
    void followsWithAJsonObjectALine() throws Exception {
        try (RunningTail tail = new RunningTail("--follow", "--since", Long.toString(RECORDS), "-o", "json")) {
            List<String> lines = new ArrayList<>(tail.lines(1));
            write(RECORDS + 1, RECORDS + 1);
            lines.addAll(tail.lines(1));
            assertThat(lines)
                    .extracting(line -> new JsonObject(line).getLong("seq"))
                    .isEqualTo(range(RECORDS, RECORDS + 1));
        }
    }

    @Test
    void stopsFollowingWhenNobodyReadsItsOutput() throws Exception {
        try (RunningTail tail = new RunningTail(brokenPipe(), "--follow")) {
            assertThat(tail.exit()).isEqualTo(ExitCode.DONE);
        }
    }

    private void write(long from, long to) {
        fleet.write(LongStream.rangeClosed(from, to)
                .mapToObj(seq -> new JournalRecord(
                        seq,
                        Instant.ofEpochSecond(seq),
                        "inventory-changed",
                        "machine east/fleet/k1-w-0",
                        // Long, and hard to compress.
                        new BigInteger(4_000, random).toString(Character.MAX_RADIX),
                        List.of(),
                        ""))
                .toList());
    }

    /** Bytes of the journal that the broker, which runs in this process, has sent so far. */
    private static long bytesRead() throws JMException {
        return (Long) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(
                        new ObjectName("kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec,topic="
                                + Topic.of(Table.JOURNAL).name()),
                        "Count");
    }

    private static List<Long> seqs(List<String> lines) {
        return lines.stream()
                .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
                .toList();
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private static Writer brokenPipe() {
        return new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    /** Splits what is written into lines. */
    private static final class LineQueue extends Writer {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final StringBuilder begun = new StringBuilder();

        @Override
        public void write(char[] text, int from, int length) {
            begun.append(text, from, length);
            for (int end = begun.indexOf("\n"); end >= 0; end = begun.indexOf("\n")) {
                lines.add(begun.substring(0, end));
                begun.delete(0, end + 1);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** A command that runs until it is interrupted. */
    private final class RunningTail implements AutoCloseable {
        private final LineQueue out = new LineQueue();
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final Thread thread;

        RunningTail(String... options) {
            this(null, options);
        }

        RunningTail(@Nullable Writer other, String... options) {
            List<String> args = new ArrayList<>(List.of("journal", "tail", "--bootstrap", fleet.bootstrap()));
            args.addAll(List.of(options));
            Terminal terminal = new Terminal(
                    new PrintWriter(other == null ? out : other),
                    new PrintWriter(new StringWriter()),
                    0,
                    false,
                    false,
                    null);
            thread = new Thread(
                    () -> exit.complete(FlotillaCommandLine.run(terminal, args.toArray(String[]::new))), "tail");
            thread.start();
        }

        List<String> lines(int count) throws InterruptedException {
            List<String> lines = new ArrayList<>();
            while (lines.size() < count) {
                String line = out.lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertThat(line).as("line after %s", lines).isNotNull();
                lines.add(line);
            }
            return lines;
        }

        int exit() throws Exception {
            return exit.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        int interrupt() throws Exception {
            thread.interrupt();
            return exit();
        }

        @Override
        public void close() {
            thread.interrupt();
            exit.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        }
    }
}
