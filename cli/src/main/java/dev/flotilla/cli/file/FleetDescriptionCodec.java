package dev.flotilla.cli.file;

import dev.flotilla.cli.file.FleetDescription.ClusterGroup;
import dev.flotilla.cli.file.FleetDescription.RefreshDuration;
import dev.flotilla.cli.file.FleetDescription.SiteGroup;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.Labels;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Codec of a described fleet: one declaration for reading, for problems and for the JSON Schema. */
final class FleetDescriptionCodec {
    static final int MOST_SITES = 250;
    static final int MOST_MACHINES = 100_000;
    static final JsonCodec<FleetDescription> FLEET = fleet();

    private static final int MOST_CLUSTERS = 100_000;
    private static final int MOST_KINDS = 100;
    private static final int MOST_CONTROL_PLANES = 9;

    /** Leaves room for a number at the end of the name. */
    private static final int LONGEST_NAME = 40;

    private record Metadata(String name) {}

    private record Spec(RefreshDuration refresh, int failurePercent, List<SiteGroup> sites) {}

    private FleetDescriptionCodec() {}

    private static JsonCodec<FleetDescription> fleet() {
        var fleet = JsonObjectCodec.<FleetDescription>of(
                "fleet", "A described fleet for virtual rollouts: flotilla simulate --fleet.");
        fleet.required(
                "apiVersion",
                ScalarCodecs.exactly("flotilla.dev/v1"),
                "Version of this format.",
                any -> "flotilla.dev/v1");
        fleet.required("kind", ScalarCodecs.exactly("Fleet"), "Kind of the document.", any -> "Fleet");
        var metadata = fleet.required("metadata", metadata(), "The fleet's name.", f -> new Metadata(f.name()));
        var spec = fleet.required(
                "spec",
                spec(),
                "What the fleet consists of.",
                f -> new Spec(f.refresh(), f.failurePercent(), f.sites()));
        return fleet.build((v, at, problems) -> {
            Spec what = v.get(spec);
            FleetDescription made =
                    new FleetDescription(v.get(metadata).name(), what.refresh(), what.failurePercent(), what.sites());
            return checked(made, at, problems);
        });
    }

    private static @Nullable FleetDescription checked(FleetDescription fleet, JsonValue at, ProblemCollector problems) {
        int before = problems.problems().size();
        int sites = fleet.sites().stream().mapToInt(SiteGroup::count).sum();
        problems.enter("spec");
        problems.enter("sites");
        if (sites < 1 || sites > MOST_SITES) {
            problems.addBadValue(at, "makes " + sites + " sites; 1 to " + MOST_SITES + " are allowed", null);
        }
        if (fleet.machines() < 1 || fleet.machines() > MOST_MACHINES) {
            problems.addBadValue(
                    at, "makes " + fleet.machines() + " machines; 1 to " + MOST_MACHINES + " are allowed", null);
        }
        Set<String> names = new HashSet<>();
        for (SiteGroup kind : fleet.sites()) {
            if (!names.add(kind.name())) {
                problems.addBadValue(at, "names \"" + kind.name() + "\" twice", null);
            }
            Set<String> clusters = new HashSet<>();
            for (ClusterGroup cluster : kind.clusters()) {
                if (!clusters.add(cluster.name())) {
                    problems.addBadValue(
                            at, "names clusters \"" + cluster.name() + "\" of " + kind.name() + " twice", null);
                }
                if (cluster.controlPlanes() + cluster.workers() == 0) {
                    problems.addBadValue(at, "has clusters \"" + cluster.name() + "\" without any machine", null);
                }
            }
        }
        problems.leave();
        problems.leave();
        return problems.problems().size() == before ? fleet : null;
    }

    private static JsonCodec<Metadata> metadata() {
        var metadata = JsonObjectCodec.<Metadata>of("metadata", "The fleet's name.");
        var name = metadata.required("name", name(NameValidator.MAX_LABEL), "The fleet's name.", Metadata::name);
        return metadata.build(v -> new Metadata(v.get(name)));
    }

    private static JsonCodec<Spec> spec() {
        var spec = JsonObjectCodec.<Spec>of("fleet-spec", "What the fleet consists of.");
        var refresh = spec.defaulted(
                "refresh",
                refresh(),
                RefreshDuration.DEFAULT,
                "How long a refresh takes, unless a cluster sets its own.",
                Spec::refresh);
        var failing = spec.defaulted(
                "failurePercent",
                ScalarCodecs.integer(0, 99),
                0,
                "Percentage of attempts that fail.",
                Spec::failurePercent);
        var sites = spec.required("sites", new ListCodec<>(sites(), MOST_SITES), "The sites.", Spec::sites);
        return spec.build(v -> new Spec(v.get(refresh), v.get(failing), v.get(sites)));
    }

    private static JsonCodec<RefreshDuration> refresh() {
        var refresh = JsonObjectCodec.<RefreshDuration>of(
                "refresh", "How long a refresh takes, from the call to the node's proof.");
        var median = refresh.defaulted(
                "median",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
                RefreshDuration.DEFAULT.median(),
                "Median, such as 90s or 4m: half of the refreshes take less.",
                RefreshDuration::median);
        var spread = refresh.defaulted(
                "spreadPercent",
                ScalarCodecs.integer(0, 200),
                RefreshDuration.DEFAULT.spreadPercent(),
                "Spread in percent of the median: two of three refreshes are within it (lognormal).",
                RefreshDuration::spreadPercent);
        return refresh.build(v -> new RefreshDuration(v.get(median), v.get(spread)));
    }

    private static JsonCodec<SiteGroup> sites() {
        var sites = JsonObjectCodec.<SiteGroup>of("sites", "A group of equal sites.");
        var name = sites.required(
                "name",
                name(LONGEST_NAME),
                "Name of the site; with count > 1, the prefix of the names before -1, -2, ….",
                SiteGroup::name);
        var count = sites.defaulted(
                "count", ScalarCodecs.integer(1, MOST_SITES), 1, "Number of equal sites.", SiteGroup::count);
        var clusters = sites.required(
                "clusters", new ListCodec<>(clusters(), MOST_KINDS), "Clusters of each site.", SiteGroup::clusters);
        return sites.build(v -> new SiteGroup(v.get(name), v.get(count), v.get(clusters)));
    }

    private static JsonCodec<ClusterGroup> clusters() {
        var clusters = JsonObjectCodec.<ClusterGroup>of("clusters", "A group of equal clusters.");
        var name = clusters.required(
                "name",
                name(LONGEST_NAME),
                "Name of the cluster; with count > 1, the prefix of the names before -1, -2, ….",
                ClusterGroup::name);
        var count = clusters.defaulted(
                "count",
                ScalarCodecs.integer(1, MOST_CLUSTERS),
                1,
                "Number of equal clusters in each site.",
                ClusterGroup::count);
        var labels = clusters.defaulted(
                "labels",
                new LabelsCodec(),
                Labels.NONE,
                "Labels by which campaigns and waves select the clusters.",
                ClusterGroup::labels);
        var controlPlanes = clusters.defaulted(
                "controlPlanes",
                ScalarCodecs.integer(0, MOST_CONTROL_PLANES),
                1,
                "Control-plane machines of each cluster; they are upgraded one at a time.",
                ClusterGroup::controlPlanes);
        var workers = clusters.defaulted(
                "workers",
                ScalarCodecs.integer(0, MOST_MACHINES),
                0,
                "Workers of each" + " cluster.",
                ClusterGroup::workers);
        var refresh = clusters.optional(
                "refresh", refresh(), "How long a refresh takes in these clusters.", ClusterGroup::refresh);
        return clusters.build(v -> new ClusterGroup(
                v.get(name), v.get(count), v.get(labels), v.get(controlPlanes), v.get(workers), v.get(refresh)));
    }

    private static JsonCodec<String> name(int longest) {
        return ScalarCodecs.parsed("a name", longest, NameValidator::problemOfOwnName, text -> text, text -> text);
    }
}
