package dev.flotilla.cli.demo;

import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.sites.SitesProviders;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of the demonstration and their validation. */
final class DemoOptions {
    private static final int MOST_SITES = 250;
    private static final int MOST_MACHINES = 5000;
    private static final int TENTH = 10;
    private static final double MOST_SPEED = 1e6;
    private static final double K8SD_SPEED = 75;
    private static final double NODE_UPGRADE_SPEED = 25;
    private static final String EMBEDDED = "embedded";
    private static final String REAL = "real";

    @Option(names = "--sites", paramLabel = "N", description = "Number of sites. Default: ${DEFAULT-VALUE}.")
    private int sites = 3;

    @Option(
            names = "--clusters",
            paramLabel = "N",
            description = "Number of clusters, spread over the sites. Default: ${DEFAULT-VALUE}.")
    private int clusters = 60;

    @Option(
            names = "--machines",
            paramLabel = "N",
            description = "Number of machines, spread over the clusters. Default: ${DEFAULT-VALUE}.")
    private int machines = 600;

    @Option(
            names = "--cap",
            paramLabel = "N",
            description = "Cap of the fleet: machines that may be in flight at once. Default: a tenth of the machines.")
    private @Nullable Integer cap;

    @Option(
            names = "--fail-rate",
            paramLabel = "SHARE",
            description =
                    "Share of the machines on which every refresh fails. They have their own hardware model, so that"
                            + " the"
                            + " failure cohort rule stops them. Default: ${DEFAULT-VALUE}.")
    private double failRate = 0.02;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the random choices. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--speed",
            paramLabel = "X",
            description =
                    "Speed of the nodes' work, in simulated seconds per second. Default: 75, or 25 with NodeUpgrades,"
                            + " whose Jobs take several requests more.")
    private @Nullable Double speed;

    @Option(
            names = "--kill",
            paramLabel = "COMPONENT",
            converter = KillTargetConverter.class,
            completionCandidates = KillTargetNames.class,
            description =
                    "Kill a component once, when a third of the machines is done: leader, worker, watcher or broker."
                            + " May" + " be repeated.")
    private List<KillTarget> kill = List.of();

    @Option(
            names = "--kubernetes",
            paramLabel = "KIND",
            completionCandidates = KubernetesNames.class,
            description =
                    "Kind of management clusters: embedded (default), or real for real API servers, which need one"
                            + " run of"
                            + " testkit/kube/build.")
    private String kubernetes = EMBEDDED;

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            converter = ProviderConverter.class,
            completionCandidates = ProviderNames.class,
            description =
                    "What upgrades the machines: k8sd (default), node-upgrade for NodeUpgrades that a node-upgrader"
                            + " fulfils, or mixed: every other cluster.")
    private SitesProviders provider = SitesProviders.K8SD;

    @Option(
            names = "--keep",
            description = "Keep everything running at the end until you press Ctrl-C, keep the logs, and print commands"
                    + " to" + " try.")
    private boolean keep;

    @Option(
            names = "--endpoints",
            paramLabel = "FILE",
            description = "Write the addresses of all processes to FILE, as JSON, as soon as everything is ready.")
    private @Nullable String endpoints;

    /** Finds problems of the options. */
    List<String> problems() {
        List<String> problems = findOptionsOutOfRange();
        if (clusters < sites) {
            problems.add("--clusters " + clusters + " is too small: use at least one cluster for each of the" + " "
                    + sites + " sites");
        }
        if (machines < clusters) {
            problems.add("--machines " + machines + " is too small: use at least one machine for each of the" + " "
                    + clusters + " clusters");
        }
        paths(problems);
        return problems;
    }

    /** Finds the options whose values are out of range, each on its own. */
    List<String> findOptionsOutOfRange() {
        List<String> problems = new ArrayList<>();
        range(problems, "--sites", sites, MOST_SITES);
        range(problems, "--machines", machines, MOST_MACHINES);
        if (cap != null && cap < 1) {
            problems.add("--cap " + cap + " is too small: use at least 1");
        }
        if (!(failRate >= 0 && failRate <= 1)) {
            problems.add("--fail-rate " + failRate + " is out of range: use a share from 0 to 1, such as 0.02");
        }
        if (!(speed() > 0 && speed() <= MOST_SPEED)) {
            problems.add("--speed " + speed() + " is out of range: use a number above 0 and at most 1000000");
        }
        return problems;
    }

    private void paths(List<String> problems) {
        String unwritable = endpoints == null ? null : JsonFileOption.findProblem("--endpoints", endpoints);
        if (unwritable != null) {
            problems.add(unwritable);
        }
        if (!List.of(EMBEDDED, REAL).contains(kubernetes)) {
            problems.add("--kubernetes " + kubernetes + " is not a kind: use embedded or real");
        }
    }

    /** Finds what this machine lacks for the options, and what to do; null for nothing. */
    @Nullable
    String findMissingPrograms() {
        return findMissingPrograms(kubernetes, KubeBinaries.find());
    }

    static @Nullable String findMissingPrograms(String kubernetes, Optional<KubeBinaries> found) {
        return kubernetes.equals(REAL) && found.isEmpty()
                ? "--kubernetes real needs etcd and kube-apiserver, which were never built on this machine. Build"
                        + " them once with"
                        + " testkit/kube/build (needs Go and at least ten minutes), or leave out the option: the"
                        + " embedded API"
                        + " servers need nothing."
                : null;
    }

    private static void range(List<String> problems, String option, int value, int most) {
        if (value < 1 || value > most) {
            problems.add(option + " " + value + " is out of range: use 1 to " + most);
        }
    }

    private double speed() {
        return speed != null ? speed : provider.has(UpgradeProvider.NODE_UPGRADE) ? NODE_UPGRADE_SPEED : K8SD_SPEED;
    }

    DemoSpec spec() {
        int inFlight = cap == null ? Math.max(1, machines / TENTH) : cap;
        SitesSpec spec =
                new SitesSpec(sites, clusters, machines, (int) Math.round(failRate * 1000), seed, speed(), provider);
        return new DemoSpec(spec, failRate, inFlight, kubernetes.equals(REAL));
    }

    boolean keep() {
        return keep;
    }

    @Nullable
    String endpoints() {
        return endpoints;
    }

    /** Components to kill, each once. */
    List<KillTarget> killTargets() {
        Set<KillTarget> once = new LinkedHashSet<>(kill);
        return List.copyOf(once);
    }

    /** What a shell completes; it would offer the names of the constants otherwise. */
    static final class ProviderNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(SitesProviders.values()).map(SitesProviders::label).iterator();
        }
    }

    /** What a shell completes. */
    static final class KillTargetNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(KillTarget.values()).map(KillTarget::label).iterator();
        }
    }

    /** What a shell completes. */
    static final class KubernetesNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of(EMBEDDED, REAL).iterator();
        }
    }

    /** Parses a provider by its label. */
    static final class ProviderConverter implements ITypeConverter<SitesProviders> {
        @Override
        public SitesProviders convert(String text) {
            try {
                return SitesProviders.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Parses a component to kill by its label. */
    static final class KillTargetConverter implements ITypeConverter<KillTarget> {
        @Override
        public KillTarget convert(String text) {
            for (KillTarget killTarget : KillTarget.values()) {
                if (killTarget.label().equals(text)) {
                    return killTarget;
                }
            }
            throw new TypeConversionException(
                    "\"" + text + "\" cannot be killed: use leader, worker, watcher or" + " broker");
        }
    }
}
