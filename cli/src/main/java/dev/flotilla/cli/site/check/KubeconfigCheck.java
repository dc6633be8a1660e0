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

/**
 * Checks that the kubeconfig of each cluster can be read and does not expire soon; without it no worker reaches the
 * cluster.
 */
final class KubeconfigCheck {
    static final String NO_CLUSTERS =
            "the site's inventory has no cluster yet: check that its management-watcher and an orchestrator run";

    /** Largest number of clusters that are checked, with one request each. */
    static final int MOST_CLUSTERS = 500;

    private static final String CHECK = "kubeconfigs";

    private final KubeconfigSecretReader kubeconfigSecretReader;
    private final InstantSource clock;

    KubeconfigCheck(KubeApiClient api, InstantSource clock) {
        this.kubeconfigSecretReader = new KubeconfigSecretReader(api, ForbiddenAddresses.isLoopback(api.root()));
        this.clock = clock;
    }

    CheckResult checkKubeconfigs(List<ClusterKey> clusters) {
        List<KubeconfigStatus> statuses = new ArrayList<>();
        for (ClusterKey cluster : clusters.subList(0, Math.min(clusters.size(), MOST_CLUSTERS))) {
            KubeconfigStatus status = KubeconfigStatus.readStatus(cluster, kubeconfigSecretReader.readSecret(cluster));
            statuses.add(status);
            if (status instanceof KubeconfigStatus.ApiServerUnreachable) {
                // Stop at the first timeout, because each of the others could take as long.
                break;
            }
        }
        return checkKubeconfigs(statuses, clusters.size(), clock.instant());
    }

    /**
     * Makes the result from the status of all kubeconfigs that were read.
     *
     * @param all the number of clusters, of which some may not have been read
     */
    static CheckResult checkKubeconfigs(List<KubeconfigStatus> statuses, int all, Instant now) {
        if (all == 0) {
            return CheckResult.unknown(CHECK, NO_CLUSTERS);
        }
        String of = " of " + statuses.size() + (statuses.size() < all ? " checked, out of " + all : "");
        List<KubeconfigStatus> useless = statuses.stream()
                .filter(status -> findDefect(status, now) != null)
                .toList();
        if (!useless.isEmpty()) {
            KubeconfigStatus first = useless.getFirst();
            return CheckResult.failed(
                    CHECK,
                    useless.size() + of + " cannot be used, the first is that of " + first.cluster() + ": "
                            + findDefect(first, now) + ": " + describeRenewal(first.cluster()));
        }
        List<KubeconfigStatus.Expires> ends = statuses.stream()
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
                    soon.size() + of + " expire within " + WorkloadClusterPool.WARNED.toDays() + " days, the first is"
                            + " that of " + first.cluster() + ", on " + day(first.expiresAt()) + ": "
                            + describeRenewal(first.cluster()));
        }
        CheckResult findUnreadable = findUnreadable(statuses, of);
        if (findUnreadable != null) {
            return findUnreadable;
        }
        return CheckResult.ok(
                CHECK,
                statuses.size() + of + " can be read, and "
                        + (ends.isEmpty()
                                ? "none has a certificate that expires"
                                : "the first to expire is that of "
                                        + ends.getFirst().cluster() + ", on "
                                        + day(ends.getFirst().expiresAt())));
    }

    private static @Nullable CheckResult findUnreadable(List<KubeconfigStatus> statuses, String of) {
        for (KubeconfigStatus status : statuses) {
            if (status instanceof KubeconfigStatus.ApiServerUnreachable apiServerUnreachable) {
                return CheckResult.unknown(
                        CHECK,
                        "that of " + apiServerUnreachable.cluster() + " could not be read:"
                                + " " + apiServerUnreachable.reason()
                                + "; try again, and check the API server if it persists");
            }
        }
        List<KubeconfigStatus> hidden = statuses.stream()
                .filter(KubeconfigStatus.ReadForbidden.class::isInstance)
                .toList();
        return hidden.isEmpty()
                ? null
                : CheckResult.unknown(
                        CHECK,
                        "not permitted to read " + hidden.size() + of + ", the first is that of "
                                + hidden.getFirst().cluster()
                                + ": use credentials that may get these Secrets, or see the workers' metric"
                                + " flotilla_worker_kubeconfig_expiry_timestamp_seconds");
    }

    /** Finds why no worker can use the kubeconfig; null if it is usable. */
    private static @Nullable String findDefect(KubeconfigStatus status, Instant now) {
        return switch (status) {
            case KubeconfigStatus.Unusable unusable -> unusable.reason();
            case KubeconfigStatus.Expires expires ->
                expires.expiresAt().isAfter(now) ? null : "it expired on " + day(expires.expiresAt());
            case KubeconfigStatus.NoExpiry noExpiry -> null;
            case KubeconfigStatus.ReadForbidden readForbidden -> null;
            case KubeconfigStatus.ApiServerUnreachable apiServerUnreachable -> null;
        };
    }

    private static String describeRenewal(ClusterKey cluster) {
        return "renew Secret " + cluster.name() + "-kubeconfig in namespace " + cluster.namespace()
                + ", which is not renewed automatically";
    }

    private static LocalDate day(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }
}
