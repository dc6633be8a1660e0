package dev.flotilla.clusterapi.coverage;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which changes are made in place, for each kind of object, and what happens with the others.
 *
 * @param kinds coverage by kind, such as {@code KubeadmConfig}; its template has the same
 */
public record CoverageTable(Map<String, KindCoverage> kinds, UncoveredPolicy uncovered) {
    /** The kind of the Machine's own fields. */
    static final String MACHINE = "Machine";

    private static final String TEMPLATE = "Template";

    /**
     * What comes with another Kubernetes version. For a KubeadmConfig, Cluster API itself sets and removes the feature gate with the
     * version.
     */
    public static final CoverageTable DEFAULT = new CoverageTable(
            Map.of(
                    MACHINE,
                    withVersion("version"),
                    "KubeadmConfig",
                    withVersion("clusterConfiguration", "featureGates", "ControlPlaneKubeletLocalMode"),
                    "CK8sConfig",
                    withVersion("version"),
                    "KThreesConfig",
                    withVersion("version"),
                    "RKE2Config",
                    withVersion("agentConfig", "version")),
            UncoveredPolicy.REPLACE);

    public CoverageTable {
        kinds = Map.copyOf(kinds);
    }

    private static KindCoverage withVersion(String... path) {
        return KindCoverage.withVersion(new SpecPath(List.of(path)));
    }

    /** Returns the coverage of a kind or of the kind of its template. */
    KindCoverage of(String kind) {
        return kinds.getOrDefault(withoutTemplate(kind), KindCoverage.NONE);
    }

    /** Returns the kind of which a kind is the template, or the kind itself. */
    static String withoutTemplate(String kind) {
        return kind.endsWith(TEMPLATE) ? kind.substring(0, kind.length() - TEMPLATE.length()) : kind;
    }

    CoverageTable with(String kind, KindCoverage coverage) {
        Map<String, KindCoverage> more = new TreeMap<>(kinds);
        more.merge(kind, coverage, KindCoverage::plus);
        return new CoverageTable(more, uncovered);
    }

    /** Adds fields that another extension applies. */
    public CoverageTable withDelegated(String kind, List<SpecPath> paths) {
        return with(kind, KindCoverage.delegated(paths));
    }

    /** Whether another extension applies these fields, or some of them. */
    public boolean isDelegated(String kind, List<SpecPath> paths) {
        return of(kind).delegated().stream().anyMatch(paths::contains);
    }

    CoverageTable with(UncoveredPolicy policy) {
        return new CoverageTable(kinds, policy);
    }
}
