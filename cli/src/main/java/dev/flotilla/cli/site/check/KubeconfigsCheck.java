package dev.flotilla.cli.site.check;

import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.management.KubeconfigSecretReader;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.id.ClusterKey;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the kubeconfig of each cluster can be read, and when it ends: without it no worker reaches the cluster. */
final class KubeconfigsCheck {
    static final String NO_CLUSTERS =
            "the site's inventory has no cluster yet: do its management-watcher and an orchestrator run?";

    /** One request each. */
    static final int MOST_CLUSTERS = 500;

    private static final String CHECK = "kubeconfigs";

    private final KubeconfigSecretReader kubeconfigSecretReader;
    private final InstantSource clock;

    KubeconfigsCheck(KubeApiClient api, InstantSource clock) {
        this.kubeconfigSecretReader = new KubeconfigSecretReader(api, ForbiddenAddresses.isLoopback(api.root()));
        this.clock = clock;
    }

    Verdict verdict(List<ClusterKey> clusters) {
        List<KubeconfigLook> looks = new ArrayList<>();
        for (ClusterKey cluster : clusters.subList(0, Math.min(clusters.size(), MOST_CLUSTERS))) {
            KubeconfigLook look = KubeconfigLook.of(cluster, kubeconfigSecretReader.readSecret(cluster));
            looks.add(look);
            if (look instanceof KubeconfigLook.Dark) {
                // Else each of the others might take as long until nobody answers.
                break;
            }
        }
        return verdict(looks, clusters.size(), clock.instant());
    }

    /**
     * What follows from all looks.
     *
     * @param all clusters that there are; as many looks, or fewer
     */
    static Verdict verdict(List<KubeconfigLook> looks, int all, Instant now) {
        if (all == 0) {
            return Verdict.unknown(CHECK, NO_CLUSTERS);
        }
        String of = " of " + looks.size() + (looks.size() < all ? " looked at, out of " + all : "");
        List<KubeconfigLook> useless =
                looks.stream().filter(look -> flaw(look, now) != null).toList();
        if (!useless.isEmpty()) {
            KubeconfigLook first = useless.getFirst();
            return Verdict.failed(
                    CHECK,
                    useless.size() + of + " are of no use, the first is that of " + first.cluster() + ": "
                            + flaw(first, now) + ": " + renew(first.cluster()));
        }
        List<KubeconfigLook.Ends> ends = looks.stream()
                .filter(KubeconfigLook.Ends.class::isInstance)
                .map(KubeconfigLook.Ends.class::cast)
                .sorted(Comparator.comparing(KubeconfigLook.Ends::at))
                .toList();
        List<KubeconfigLook.Ends> soon = ends.stream()
                .filter(each -> each.at().isBefore(now.plus(WorkloadClusterPool.WARNED)))
                .toList();
        if (!soon.isEmpty()) {
            KubeconfigLook.Ends first = soon.getFirst();
            return Verdict.differs(
                    CHECK,
                    soon.size() + of + " end within " + WorkloadClusterPool.WARNED.toDays()
                            + " days, the first is that of " + first.cluster() + ", on " + day(first.at()) + ": "
                            + renew(first.cluster()));
        }
        Verdict unseen = unseen(looks, of);
        if (unseen != null) {
            return unseen;
        }
        return Verdict.ok(
                CHECK,
                looks.size() + of + " can be read, and "
                        + (ends.isEmpty()
                                ? "none has a certificate that ends"
                                : "the first to end is that of "
                                        + ends.getFirst().cluster() + ", on "
                                        + day(ends.getFirst().at())));
    }

    private static @Nullable Verdict unseen(List<KubeconfigLook> looks, String of) {
        for (KubeconfigLook look : looks) {
            if (look instanceof KubeconfigLook.Dark dark) {
                return Verdict.unknown(
                        CHECK,
                        "that of " + dark.cluster() + " is not told: " + dark.why()
                                + "; if this stays, the API server does not serve this question");
            }
        }
        List<KubeconfigLook> hidden =
                looks.stream().filter(KubeconfigLook.Hidden.class::isInstance).toList();
        return hidden.isEmpty()
                ? null
                : Verdict.unknown(
                        CHECK,
                        "we may not read " + hidden.size() + of + ", the first is that of "
                                + hidden.getFirst().cluster()
                                + ": come as one who may get these Secrets, or see the workers'"
                                + " flotilla_worker_kubeconfig_lasts_seconds");
    }

    /** Why no worker reaches the cluster by it; null where one may. */
    private static @Nullable String flaw(KubeconfigLook look, Instant now) {
        return switch (look) {
            case KubeconfigLook.Unfit unfit -> unfit.why();
            case KubeconfigLook.Ends ends -> ends.at().isAfter(now) ? null : "it has ended on " + day(ends.at());
            case KubeconfigLook.Endless endless -> null;
            case KubeconfigLook.Hidden hidden -> null;
            case KubeconfigLook.Dark dark -> null;
        };
    }

    private static String renew(ClusterKey cluster) {
        return "renew Secret " + cluster.name() + "-kubeconfig in namespace " + cluster.namespace()
                + ", nobody does by itself";
    }

    private static LocalDate day(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }
}
