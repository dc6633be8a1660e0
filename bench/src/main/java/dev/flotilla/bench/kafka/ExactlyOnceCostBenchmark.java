package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.Benchmark;
import dev.flotilla.bench.harness.KafkaTestBed;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.PairedRuns;
import dev.flotilla.bench.harness.PlainKafkaClients;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.orchestrator.leader.LeaderTermRunner;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * P16: records read and written in transactions by the product's writer, and without transactions by a plain client.
 */
final class ExactlyOnceCostBenchmark implements Benchmark {
    private static final int PAIRS = 7;
    private static final int PARTITIONS = 8;
    private static final int RECORDS = 400_000;
    private static final int BYTES = 200;
    private static final long COMMIT_NANOS = LeaderTermRunner.URGENT_COMMIT_INTERVAL.toNanos();
    private static final Duration POLL = LeaderTermRunner.URGENT_COMMIT_INTERVAL;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String IN = "bench.in";
    private static final String OUT = "bench.out";
    private static final double SECOND = 1e9;
    private static final List<TopicPartition> INPUT_PARTITIONS = IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TopicPartition(IN, partition))
            .toList();

    private final BenchmarkSizes sizes;
    private String bootstrap = "";

    ExactlyOnceCostBenchmark(BenchmarkSizes sizes) {
        this.sizes = sizes;
    }

    /** One side of the comparison: how it writes a record and how it commits. */
    private interface Side {
        void begin();

        void write(ConsumerRecord<byte[], byte[]> record);

        void commit(KafkaConsumer<byte[], byte[]> consumer);
    }

    @Override
    public List<String> ids() {
        return List.of("P16");
    }

    @Override
    public void measure(Measurements measurements) throws InterruptedException {
        try (KafkaTestBed kafkaTestBed = KafkaTestBed.start()) {
            bootstrap = kafkaTestBed.bootstrap();
            kafkaTestBed.createTopic(IN, PARTITIONS);
            kafkaTestBed.createTopic(OUT, PARTITIONS);
            fill();
            PairedRuns pairedRuns =
                    PairedRuns.runPairs(Math.max(PAIRS, sizes.pairs()), this::exactlyOnce, this::atLeastOnce);
            pairedRuns.add(
                    measurements,
                    "P16",
                    "exactly once / at least once, commits every " + LeaderTermRunner.URGENT_COMMIT_INTERVAL.toMillis()
                            + " ms",
                    String.format(
                            "records of %d B; %,.0f/s by Flotilla's writer, %,.0f/s by a plain one that commits offsets",
                            BYTES, pairedRuns.flotilla(), pairedRuns.reference()),
                    BetterDirection.HIGHER,
                    0.55,
                    0.75);
        }
    }

    private void fill() {
        SplittableRandom random = new SplittableRandom(1);
        try (KafkaProducer<byte[], byte[]> producer = PlainKafkaClients.producer(bootstrap, "bench-fill")) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] value = new byte[BYTES];
                for (int at = 0; at < BYTES; at++) {
                    // Half of the bits are random, so that records compress about as well as JSON.
                    value[at] = (byte) ('a' + random.nextInt(16));
                }
                var unused = producer.send(new ProducerRecord<>(IN, i % PARTITIONS, null, value));
            }
        }
    }

    private double exactlyOnce() {
        KafkaClientSettings settings = KafkaClientSettings.forLocalBroker(bootstrap);
        try (TransactionalRowWriter writer = new TransactionalRowWriter(settings, "bench.exactly-once", TIMEOUT)) {
            writer.init();
            return run(new Side() {
                @Override
                public void begin() {
                    writer.begin();
                }

                @Override
                public void write(ConsumerRecord<byte[], byte[]> record) {
                    writer.send(new WireRecord(OUT, record.partition(), null, record.value(), WireHeaders.NONE));
                }

                @Override
                public void commit(KafkaConsumer<byte[], byte[]> consumer) {
                    // The position in the input is a row of the same transaction.
                    writer.send(new WireRecord(OUT, 0, "head", new byte[BYTES], WireHeaders.NONE));
                    writer.commit();
                }
            });
        }
    }

    private double atLeastOnce() {
        try (KafkaProducer<byte[], byte[]> producer = PlainKafkaClients.producer(bootstrap, "bench.at-least-once")) {
            return run(new Side() {
                @Override
                public void begin() {
                    // No transaction to begin.
                }

                @Override
                public void write(ConsumerRecord<byte[], byte[]> record) {
                    var unused = producer.send(new ProducerRecord<>(OUT, record.partition(), null, record.value()));
                }

                @Override
                public void commit(KafkaConsumer<byte[], byte[]> consumer) {
                    producer.flush();
                    consumer.commitSync();
                }
            });
        }
    }

    /** Reads the input repeatedly for the duration of a run. Returns records per second. */
    private double run(Side side) {
        try (KafkaConsumer<byte[], byte[]> consumer = PlainKafkaClients.consumer(bootstrap, "bench")) {
            consumer.assign(INPUT_PARTITIONS);
            consumer.seekToBeginning(INPUT_PARTITIONS);
            long records = 0;
            long round = 0;
            boolean open = false;
            long started = 0;
            long committed = 0;
            while (started == 0 || System.nanoTime() - started < sizes.leg().toNanos()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (started == 0) {
                        started = System.nanoTime();
                        committed = started;
                    }
                    if (!open) {
                        side.begin();
                        open = true;
                    }
                    side.write(record);
                    records++;
                    round++;
                }
                if (open && System.nanoTime() - committed >= COMMIT_NANOS) {
                    side.commit(consumer);
                    open = false;
                    committed = System.nanoTime();
                }
                if (round >= RECORDS) {
                    consumer.seekToBeginning(INPUT_PARTITIONS);
                    round = 0;
                }
            }
            if (open) {
                side.commit(consumer);
            }
            return records * SECOND / (System.nanoTime() - started);
        }
    }
}
