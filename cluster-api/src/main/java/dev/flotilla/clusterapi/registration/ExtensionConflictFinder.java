package dev.flotilla.clusterapi.registration;

import dev.flotilla.kube.ExtensionRegistration;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.ServedApiVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Finds ExtensionConfigs that serve the hooks for in-place updates in the namespaces of ours. */
public final class ExtensionConflictFinder {
    static final String LABEL = ExtensionRegistration.NAMESPACE_LABEL + "=" + ExtensionRegistration.ENABLED;

    private static final int MAX_EXTENSIONS = 1_000;
    private static final int MAX_NAMESPACES = 100_000;

    private final KubeApiClient api;
    private final ServedApiVersions versions;

    public ExtensionConflictFinder(KubeApiClient api) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
    }

    /** What the management cluster has. */
    public sealed interface FindResult {
        /**
         * The ExtensionConfigs were read.
         *
         * @param ours our ExtensionConfigs; none before they are created
         * @param conflicts none if each namespace has one extension at most
         */
        record ExtensionsRead(List<KubeObject> ours, List<ExtensionConflict> conflicts) implements FindResult {
            public ExtensionsRead {
                ours = List.copyOf(ours);
                conflicts = List.copyOf(conflicts);
            }
        }

        /** They cannot be read. */
        record ExtensionsUnreadable(String problem) implements FindResult {}
    }

    /** Reads the ExtensionConfigs and the namespaces, and compares them. */
    public FindResult find() {
        String version = versions.versionOf(ExtensionRegistration.GROUP, ExtensionRegistration.EXTENSION_CONFIGS);
        if (version == null) {
            return new FindResult.ExtensionsUnreadable("the served version of ExtensionConfigs is unknown");
        }
        if (version.isEmpty()) {
            return new FindResult.ExtensionsRead(List.of(), List.of());
        }
        List<RegisteredExtension> extensions = new ArrayList<>();
        List<KubeObject> namespaces = new ArrayList<>();
        String problem = api.forEachObject(
                KubeApiPath.listPath(
                        ExtensionRegistration.GROUP + "/" + version, ExtensionRegistration.EXTENSION_CONFIGS),
                "",
                MAX_EXTENSIONS,
                config -> extensions.add(new RegisteredExtension(config)));
        if (problem == null) {
            problem = api.forEachObject("/api/v1/namespaces", "", MAX_NAMESPACES, namespaces::add);
        }
        return problem == null
                ? new FindResult.ExtensionsRead(
                        extensions.stream()
                                .filter(RegisteredExtension::isOurs)
                                .map(RegisteredExtension::config)
                                .toList(),
                        findConflicts(extensions, namespaces))
                : new FindResult.ExtensionsUnreadable(problem);
    }

    static List<ExtensionConflict> findConflicts(List<RegisteredExtension> extensions, List<KubeObject> namespaces) {
        List<RegisteredExtension> serving = extensions.stream()
                .filter(RegisteredExtension::servesInPlaceUpdates)
                .toList();
        List<RegisteredExtension> ours =
                serving.stream().filter(RegisteredExtension::isOurs).toList();
        List<ExtensionConflict> conflicts = new ArrayList<>();
        for (RegisteredExtension other : serving) {
            if (ours.isEmpty()) {
                add(
                        conflicts,
                        "",
                        other,
                        namespaces,
                        namespace -> ExtensionRegistration.ENABLED.equals(
                                namespace.label(ExtensionRegistration.NAMESPACE_LABEL)));
            }
            for (RegisteredExtension own : ours) {
                // Two of ours conflict as well; the pair is named once.
                if (!other.isOurs() || own.name().compareTo(other.name()) < 0) {
                    add(conflicts, own.name(), other, namespaces, own::matches);
                }
            }
        }
        return conflicts;
    }

    private static void add(
            List<ExtensionConflict> conflicts,
            String ours,
            RegisteredExtension other,
            List<KubeObject> namespaces,
            Predicate<KubeObject> isOurs) {
        List<String> both = namespaces.stream()
                .filter(namespace -> isOurs.test(namespace) && other.matches(namespace))
                .map(KubeObject::name)
                .sorted()
                .toList();
        if (!both.isEmpty()) {
            conflicts.add(new ExtensionConflict(ours, other.name(), both));
        }
    }
}
