package dev.flotilla.e2e.arena;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.sites.EmbeddedSites;
import dev.flotilla.testkit.sites.SitesSpec;
import dev.flotilla.testkit.tables.TableWriter;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A fleet of one small site with real processes that export traces: orchestrators, a node-worker and a management-watcher. */
public final class TracedFleet implements AutoCloseable {
    private static final SitesSpec SPEC = new SitesSpec(1, 1, 3, 0, 1, 400);
    private static final SiteId SITE = new SiteId("site-1");

    private final Path folder;
    private final String collector;
    private final LocalKafka kafka = LocalKafka.start();
    private final EmbeddedSites sites;
    private final JournalFollower journal;
    private final List<ChildProcess> processes = new ArrayList<>();

    /** @param collector the endpoint of the collector */
    public TracedFleet(Path folder, String collector) throws IOException, InterruptedException {
        this.folder = folder;
        this.collector = collector;
        TopicCreator.createTopics(kafka.bootstrap(), List.of(SITE));
        this.sites =
                EmbeddedSites.start(SPEC, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), folder, false);
        this.journal = new JournalFollower(kafka.bootstrap());
        String kubeconfig =
                folder.resolve(EmbeddedSites.kubeconfig(SITE.name())).toString();
        write(Table.POLICIES, TestCampaign.policy(SPEC.machines()));
        start("watcher", dev.flotilla.managementwatcher.Main.class, "--site", SITE.name(), "--kubeconfig", kubeconfig);
        start(
                "worker",
                dev.flotilla.nodeworker.Main.class,
                "--site",
                SITE.name(),
                "--kubeconfig",
                kubeconfig,
                "--via",
                Files.readString(folder.resolve(EmbeddedSites.K8SD)),
                "--ask-every",
                "150");
    }

    /** Starts an orchestrator. */
    public ChildProcess startOrchestrator(String name) {
        return start(name, dev.flotilla.orchestrator.Main.class);
    }

    private ChildProcess start(String name, Class<?> main, String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("--bootstrap", kafka.bootstrap(), "--instance", name, "--traces", collector));
        arguments.addAll(List.of(options));
        ChildProcess process = FleetTestBed.startComponent(
                folder, name, ComponentClassPaths.own(), List.of("-Xmx160m"), main.getName(), arguments);
        processes.add(process);
        return process;
    }

    /** Writes a campaign, as an operator would, and waits until it is accepted. */
    public void startCampaign(TestCampaign campaign) {
        journal.await(
                "every machine is known",
                FleetTestBed.PATIENCE,
                () -> journal.machines().size() == SPEC.machines());
        write(Table.CAMPAIGNS, campaign.campaign());
        journal.await(
                "the campaign is accepted", FleetTestBed.PATIENCE, () -> journal.campaign(campaign.name()) != null);
    }

    private void write(Table table, TableRow row) {
        try (TableWriter writer = new TableWriter(kafka.bootstrap(), failure -> {
            throw new IllegalStateException("writing to " + table.label(), failure);
        })) {
            writer.write(TablePartition.of(table), row, () -> {});
            writer.flush();
        }
    }

    public JournalFollower journal() {
        return journal;
    }

    /** The trace ids that the records of a table of the site name, as far as they are not compacted. */
    public List<String> traceIds(Table table) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", kafka.bootstrap());
        properties.put("isolation.level", "read_committed");
        List<String> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            String topic = "flotilla." + table.label() + "." + SITE.name();
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    Header header = record.headers().lastHeader("traceparent");
                    if (header != null) {
                        found.add(new String(header.value(), StandardCharsets.UTF_8).split("-")[1]);
                    }
                }
            }
        }
        return found;
    }

    /** A counter that a process shows at its address; 0 if it has none. */
    public static double counter(ChildProcess process, String series) {
        URI metrics = process.awaitAddress().resolve("/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(series))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        processes.forEach(ChildProcess::close);
        journal.close();
        sites.close();
        kafka.close();
    }
}
