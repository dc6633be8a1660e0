package dev.flotilla.bench.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.bench.size.UpgradeTraffic.Sum;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/size.md has measured figures; {@code -Dflotilla.rewrite=true} writes its tables again. */
class SizePageTest {
    private static final Path PAGE = Path.of("../docs/size.md");
    private static final int BROKERS = 3;
    private static final long RETENTION_DAYS = 400;
    private static final long UPGRADES_A_YEAR = 6;
    private static final long DAYS_A_YEAR = 365;

    /** A tenth of the machines is in flight, each for five minutes. */
    private static final double UPGRADES_A_SECOND_OF_A_MACHINE = 0.1 / 300;

    private static final long HEARTBEATS_A_DAY = 8_640;

    private record FleetSize(int machines, int sites) {}

    private static final List<FleetSize> FLEETS =
            List.of(new FleetSize(1_000, 10), new FleetSize(10_000, 50), new FleetSize(30_000, 150));

    private static final List<String> MANIFESTS = List.of(
            "orchestrator/orchestrator",
            "auditor/auditor",
            "campaign-controller/campaign-controller",
            "management-watcher/management-watcher",
            "node-worker/node-worker",
            "node-upgrader/node-upgrader",
            "cluster-api/cluster-api-extension");

    /** A figure that a benchmark must not exceed, on the page and in the benchmark. */
    private static final Pattern LIMIT =
            Pattern.compile("^\\| `(P\\d+[a-z]?)` \\| [^|]+ \\| ([\\d,]+) \\|", Pattern.MULTILINE);

    private static final UpgradeTraffic TRAFFIC = UpgradeTraffic.measure();

    @Test
    void pageSaysWhatAMachineAndItsUpgradeTake() throws IOException {
        StringBuilder table = new StringBuilder("| table | rows a machine | bytes of these rows | records an upgrade |"
                + " bytes an upgrade | on disk |\n|---|---|---|---|---|---|\n");
        Sum live = Sum.NONE;
        Sum written = Sum.NONE;
        for (Map.Entry<Table, Sum> each : TRAFFIC.written().entrySet()) {
            Sum rows = each.getKey().compacted() ? TRAFFIC.live(each.getKey()) : Sum.NONE;
            table.append(row("`" + each.getKey().label() + "`", rows, each.getValue()));
            live = live.plus(rows);
            written = written.plus(each.getValue());
        }
        table.append(row("all", live, written));
        assertPage("rows", table.toString());
    }

    private static String row(String name, Sum live, Sum written) {
        return String.format(
                Locale.ROOT,
                "| %s | %.1f | %s | %.1f | %s | %s |%n",
                name,
                (double) live.records() / UpgradeTraffic.MACHINES,
                bytes(perMachine(live.bytes())),
                (double) written.records() / UpgradeTraffic.MACHINES,
                bytes(perMachine(written.bytes())),
                bytes(perMachine(written.disk())));
    }

    @Test
    void pageSaysWhatFleetsTakeOfTheBrokers() throws IOException {
        double rows =
                perMachine(sum(Table::compacted, table -> TRAFFIC.live(table).bytes()));
        Sum upgrade = total(TRAFFIC.written().values());
        double journal = perMachine(written(Table.JOURNAL).disk());
        double checkpoint = perMachine(TRAFFIC.checkpoint().disk());
        double upgradesKept = (double) UPGRADES_A_YEAR * RETENTION_DAYS / DAYS_A_YEAR;
        StringBuilder table = new StringBuilder();
        table.append(line("", fleet -> String.format(Locale.ROOT, "%,d machines", fleet.machines())));
        table.append("|---|").append("---|".repeat(FLEETS.size())).append('\n');
        table.append(line("sites", fleet -> String.valueOf(fleet.sites())));
        table.append(line(
                "topics",
                fleet -> String.format(Locale.ROOT, "%,d", topics(fleet).size())));
        table.append(line("partitions", fleet -> String.format(Locale.ROOT, "%,d", partitions(fleet))));
        table.append(line(
                "replicas of partitions on each of three brokers",
                fleet -> String.format(
                        Locale.ROOT, "%,d", partitions(fleet) * TopicCatalogue.replicas(BROKERS) / BROKERS)));
        table.append(line("rows of the machines, not compressed", fleet -> bytes(rows * fleet.machines())));
        table.append(line(
                "written by one upgrade of every machine, on disk",
                fleet -> bytes(perMachine(upgrade.disk()) * fleet.machines())));
        table.append(line(
                "written by heartbeats in a day, on disk",
                fleet -> bytes((double) TRAFFIC.heartbeat().disk() * HEARTBEATS_A_DAY * fleet.sites())));
        table.append(line("journal: a checkpoint", fleet -> bytes(checkpoint * fleet.machines())));
        table.append(line("journal: one upgrade of every machine", fleet -> bytes(journal * fleet.machines())));
        table.append(line(
                "journal: " + RETENTION_DAYS + " days, a checkpoint a day, " + UPGRADES_A_YEAR
                        + " upgrades of every machine a year",
                fleet -> bytes((checkpoint * RETENTION_DAYS + journal * upgradesKept) * fleet.machines())));
        table.append(line(
                "written to one replica while a tenth is in flight, five minutes each",
                fleet -> bytes(perMachine(upgrade.disk()) * fleet.machines() * UPGRADES_A_SECOND_OF_A_MACHINE) + "/s"));
        assertPage("brokers", table.toString());
    }

    @Test
    void pageShowsWhatTheManifestsRequest() throws IOException {
        StringBuilder table =
                new StringBuilder("| process | replicas | CPU | memory | heap |\n|---|---|---|---|---|\n");
        for (String manifest : MANIFESTS) {
            String text = Files.readString(Path.of("../deploy", manifest + ".yaml"));
            table.append(String.format(
                    "| %s | %s | %s | %s | %s |%n",
                    manifest.substring(manifest.indexOf('/') + 1),
                    first("replicas: (\\d+)", text),
                    first("requests: \\{cpu: \"?([^,\"]+)", text),
                    first("limits: \\{memory: ([^}]+)}", text),
                    first("-Xmx(\\w+)", text)));
        }
        assertPage("processes", table.toString());
    }

    private static String first(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    @Test
    void limitsOfThePageAreThoseOfTheBenchmarks() throws IOException {
        StringBuilder benchmarks = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("../bench/src/main/java"))) {
            for (Path file : files.filter(file -> file.toString().endsWith("Benchmark.java"))
                    .toList()) {
                benchmarks.append(Files.readString(file));
            }
        }
        List<MatchResult> limits =
                LIMIT.matcher(Files.readString(PAGE)).results().toList();
        assertThat(limits).hasSizeGreaterThan(9);
        for (MatchResult limit : limits) {
            // A measurement ends with its floor and its goal.
            Pattern floor = Pattern.compile(
                    "(?:gatingMeasurement|each|read|gate)\\(\\s*\"" + limit.group(1) + "\",.*?([\\d_]+),\\s*[\\d_]+\\)",
                    Pattern.DOTALL);
            assertThat(floor.matcher(benchmarks)
                            .results()
                            .map(found -> found.group(1).replace("_", "")))
                    .as(limit.group(1))
                    .isNotEmpty()
                    .allMatch(limit.group(2).replace(",", "")::equals);
        }
    }

    private static String line(String name, Function<FleetSize, String> figure) {
        return FLEETS.stream().map(figure).collect(Collectors.joining(" | ", "| " + name + " | ", " |\n"));
    }

    private static List<Topic> topics(FleetSize fleet) {
        List<Topic> topics = new ArrayList<>(TopicCatalogue.fleetTopics());
        for (int site = 0; site < fleet.sites(); site++) {
            topics.addAll(TopicCatalogue.siteTopics(new SiteId("site-" + site)));
        }
        return topics;
    }

    private static int partitions(FleetSize fleet) {
        return topics(fleet).stream()
                .mapToInt(topic -> topic.table().partitions())
                .sum();
    }

    private static Sum written(Table table) {
        return TRAFFIC.written().getOrDefault(table, Sum.NONE);
    }

    private static Sum total(Collection<Sum> sums) {
        return sums.stream().reduce(Sum.NONE, Sum::plus);
    }

    private static long sum(Predicate<Table> which, ToLongFunction<Table> figure) {
        return List.of(Table.values()).stream().filter(which).mapToLong(figure).sum();
    }

    private static double perMachine(long all) {
        return (double) all / UpgradeTraffic.MACHINES;
    }

    /** With two digits: the figures of another fleet differ by more. */
    private static String bytes(double bytes) {
        String[] units = {"B", "KB", "MB", "GB", "TB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1_000) {
            value /= 1_000;
            unit++;
        }
        return value >= 10 || value == 0
                ? String.format(Locale.ROOT, "%,.0f %s", rounded(value), units[unit])
                : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    private static double rounded(double value) {
        return value >= 100 ? Math.round(value / 10) * 10 : Math.round(value);
    }

    private static void assertPage(String part, String wanted) throws IOException {
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, part, wanted))
                .as("regenerated by -Dflotilla.rewrite=true")
                .isEqualTo(wanted);
    }
}
