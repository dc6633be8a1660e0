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
final class KubeconfigCheck {
    static final String NO_CLUSTERS =
            "the site's inventory has no cluster yet: do its management-watcher and an orchestrator run?";

    /** One request each. */
    static final int MOST_CLUSTERS = 500;

    private static final String CHECK = "kubeconfigs";

    private final KubeconfigSecretReader kubeconfigSecretReader;
    private final InstantSource clock;

    KubeconfigCheck(KubeApiClient api, InstantSource clock) {
        this.kubeconfigSecretReader = new KubeconfigSecretReader(api, ForbiddenAddresses.isLoopback(api.root()));
        this.clock = clock;
    }

    CheckResult checkKubeconfigs(List<ClusterKey> clusters) {
        List<KubeconfigStatus> looks = new ArrayList<>();
        for (ClusterKey cluster : clusters.subList(0, Math.min(clusters.size(), MOST_CLUSTERS))) {
            KubeconfigStatus look = KubeconfigStatus.readStatus(cluster, kubeconfigSecretReader.readSecret(cluster));
            looks.add(look);
            if (look instanceof KubeconfigStatus.ApiServerUnreachable) {
                // Else each of the others might take as long until nobody answers.
                break;
            }
        }
        return checkKubeconfigs(looks, clusters.size(), clock.instant());
    }

    /**
     * What follows from all looks.
     *
     * @param all clusters that there are; as many looks, or fewer
     */
    static CheckResult checkKubeconfigs(List<KubeconfigStatus> looks, int all, Instant now) {
        if (all == 0) {
            return CheckResult.unknown(CHECK, NO_CLUSTERS);
        }
        String of = " of " + looks.size() + (looks.size() < all ? " looked at, out of " + all : "");
        List<KubeconfigStatus> useless =
                looks.stream().filter(look -> flaw(look, now) != null).toList();
        if (!useless.isEmpty()) {
            KubeconfigStatus first = useless.getFirst();
            return CheckResult.failed(
                    CHECK,
                    useless.size() + of + " are of no use, the first is that of " + first.cluster() + ": "
                            + flaw(first, now) + ": " + renew(first.cluster()));
        }
        List<KubeconfigStatus.Expires> ends = looks.stream()
                .filter(KubeconfigStatus.Expires.class::isInstance)
                .map(KubeconfigStatus.Expires.class::cast)
                .sorted(Comparator.comparing(KubeconfigStatus.Expires::expiresAt))
                .toList();
        List<KubeconfigStatus.Expires> soon = ends.stream()
                .filter(each -> each.expiresAt().isBefore(now.plus(WorkloadClusterPool.WARNED)))
                .toList();
        if (!soon.isEmpty()) {
            KubeconfigStatus.Expires first = soon.getFirst();
            return CheckResult.differs(
                    CHECK,
                    soon.size() + of + " end within " + WorkloadClusterPool.WARNED.toDays()
                            + " days, the first is that of " + first.cluster() + ", on " + day(first.expiresAt()) + ": "
                            + renew(first.cluster()));
        }
        CheckResult unseen = unseen(looks, of);
        if (unseen != null) {
            return unseen;
        }
        return CheckResult.ok(
                CHECK,
                looks.size() + of + " can be read, and "
                        + (ends.isEmpty()
                                ? "none has a certificate that ends"
                                : "the first to end is that of "
                                        + ends.getFirst().cluster() + ", on "
                                        + day(ends.getFirst().expiresAt())));
    }

    private static @Nullable CheckResult unseen(List<KubeconfigStatus> looks, String of) {
        for (KubeconfigStatus look : looks) {
            if (look instanceof KubeconfigStatus.ApiServerUnreachable apiServerUnreachable) {
                return CheckResult.unknown(
                        CHECK,
                        "that of " + apiServerUnreachable.cluster() + " is not told: " + apiServerUnreachable.reason()
                                + "; if this stays, the API server does not serve this question");
            }
        }
        List<KubeconfigStatus> hidden = looks.stream()
                .filter(KubeconfigStatus.ReadForbidden.class::isInstance)
                .toList();
        return hidden.isEmpty()
                ? null
                : CheckResult.unknown(
                        CHECK,
                        "we may not read " + hidden.size() + of + ", the first is that of "
                                + hidden.getFirst().cluster()
                                + ": come as one who may get these Secrets, or see the workers'"
                                + " flotilla_worker_kubeconfig_lasts_seconds");
    }

    /** Why no worker reaches the cluster by it; null where one may. */
    private static @Nullable String flaw(KubeconfigStatus look, Instant now) {
        return switch (look) {
            case KubeconfigStatus.Unusable unusable -> unusable.reason();
            case KubeconfigStatus.Expires expires ->
                expires.expiresAt().isAfter(now) ? null : "it has ended on " + day(expires.expiresAt());
            case KubeconfigStatus.NoExpiry noExpiry -> null;
            case KubeconfigStatus.ReadForbidden readForbidden -> null;
            case KubeconfigStatus.ApiServerUnreachable apiServerUnreachable -> null;
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
