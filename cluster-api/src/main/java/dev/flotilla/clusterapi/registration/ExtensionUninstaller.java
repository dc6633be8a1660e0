package dev.flotilla.clusterapi.registration;

import dev.flotilla.kube.ExtensionRegistration;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the extension from a management cluster: first its registration, then its Deployment. In the other order the managers of Cluster
 * API would call a Service without endpoints, and end when they start.
 */
public final class ExtensionUninstaller {
    private static final String CLUSTER_API = "cluster.x-k8s.io";
    private static final String RUNTIME = ExtensionRegistration.GROUP;
    private static final String EXTENSION_CONFIGS = ExtensionRegistration.EXTENSION_CONFIGS;
    private static final String MACHINES = "machines";
    private static final String DEPLOYMENT = ExtensionRegistration.SERVICE;
    private static final int MAX_EXTENSIONS = 1_000;
    private static final int MAX_OBJECTS = 100_000;

    private final KubeApiClient api;
    private final ServedApiVersions versions;
    private final String namespace;

    /**
     * Makes an uninstaller.
     *
     * @param namespace the namespace of the Deployment
     */
    public ExtensionUninstaller(KubeApiClient api, String namespace) {
        this.api = api;
        this.versions = new ServedApiVersions(api);
        this.namespace = namespace;
    }

    /** What one try came to. */
    public sealed interface UninstallResult {
        /** Nothing is registered, and the Deployment is gone. */
        record Uninstalled(List<String> removed) implements UninstallResult {
            public Uninstalled {
                removed = List.copyOf(removed);
            }
        }

        /** Nothing was removed: Cluster API updates these Machines in place, and nobody could end it. */
        record UpdatesInProgress(List<String> machines) implements UninstallResult {
            public UpdatesInProgress {
                machines = List.copyOf(machines);
            }
        }

        /** A request failed. */
        record UninstallFailed(String problem) implements UninstallResult {}
    }

    /** Removes everything unless a Machine is being updated. It can be repeated. */
    public UninstallResult tryOnce() {
        String runtime = versions.versionOf(RUNTIME, EXTENSION_CONFIGS);
        String clusterApi = versions.versionOf(CLUSTER_API, MACHINES);
        if (runtime == null || clusterApi == null) {
            return new UninstallResult.UninstallFailed("the served versions of Cluster API are unknown");
        }
        List<RegisteredExtension> ours = new ArrayList<>();
        List<KubeObject> namespaces = new ArrayList<>();
        List<KubeObject> updating = new ArrayList<>();
        String problem =
                runtime.isEmpty() ? null : list(RUNTIME + "/" + runtime, EXTENSION_CONFIGS, MAX_EXTENSIONS, ours);
        if (problem == null) {
            problem = api.forEachObject("/api/v1/namespaces", "", MAX_OBJECTS, namespaces::add);
        }
        if (problem == null && !clusterApi.isEmpty()) {
            problem = api.forEachObject(
                    KubeApiPath.listPath(CLUSTER_API + "/" + clusterApi, MACHINES), "", MAX_OBJECTS, machine -> {
                        if (machine.annotation(AnnotationKeys.UPDATE_IN_PROGRESS) != null) {
                            updating.add(machine);
                        }
                    });
        }
        if (problem != null) {
            return new UninstallResult.UninstallFailed(problem);
        }
        List<String> held = updating.stream()
                .filter(machine -> namespaces.stream()
                        .filter(each -> each.name().equals(machine.namespace()))
                        .anyMatch(each -> ours.stream().anyMatch(own -> own.matches(each))))
                .map(machine -> machine.namespace() + "/" + machine.name())
                .sorted()
                .toList();
        return held.isEmpty() ? remove(RUNTIME + "/" + runtime, ours) : new UninstallResult.UpdatesInProgress(held);
    }

    private @Nullable String list(String version, String kinds, int most, List<RegisteredExtension> ours) {
        return api.forEachObject(KubeApiPath.listPath(version, kinds), "", most, config -> {
            RegisteredExtension extension = new RegisteredExtension(config);
            if (extension.isOurs()) {
                ours.add(extension);
            }
        });
    }

    private UninstallResult remove(String version, List<RegisteredExtension> ours) {
        List<String> removed = new ArrayList<>();
        for (RegisteredExtension own : ours) {
            KubeResponse deleted = api.deleteObject(
                    KubeApiPath.objectPath(version, null, EXTENSION_CONFIGS, own.name()),
                    own.config().uid());
            if (!(deleted instanceof KubeResponse.SuccessResponse) && !deleted.isMissing()) {
                return new UninstallResult.UninstallFailed("ExtensionConfig " + own.name() + ": " + deleted.problem());
            }
            removed.add("ExtensionConfig " + own.name());
        }
        String path = KubeApiPath.objectPath("apps/v1", namespace, "deployments", DEPLOYMENT);
        KubeResponse found = api.get(path);
        if (found instanceof KubeResponse.SuccessResponse deployment) {
            KubeResponse deleted = api.deleteObject(path, deployment.object().uid());
            if (!(deleted instanceof KubeResponse.SuccessResponse) && !deleted.isMissing()) {
                return new UninstallResult.UninstallFailed("Deployment " + DEPLOYMENT + ": " + deleted.problem());
            }
            removed.add("Deployment " + namespace + "/" + DEPLOYMENT);
        } else if (!found.isMissing()) {
            return new UninstallResult.UninstallFailed("Deployment " + DEPLOYMENT + ": " + found.problem());
        }
        return new UninstallResult.Uninstalled(removed);
    }
}
