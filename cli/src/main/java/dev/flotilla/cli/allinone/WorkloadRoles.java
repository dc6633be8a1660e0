package dev.flotilla.cli.allinone;

import dev.flotilla.cli.site.DeployedManifest;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Installs the roles of the users that node-worker and node-upgrader impersonate in the workload clusters. A cluster that comes
 * later gets them later.
 */
final class WorkloadRoles {
    private static final List<String> MANIFESTS =
            List.of("node-worker/rbac-workload.yaml", "node-upgrader/rbac-workload.yaml");
    private static final String MANAGED_FIELDS = "?fieldManager=flotilla-all-in-one&force=true";
    private static final String CLUSTERS = KubeApiPath.listPath("cluster.x-k8s.io/v1beta2", "clusters");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_OBJECTS = 100_000;

    private final KubeApiClient management;
    private final Set<String> installed = new HashSet<>();
    private final Set<String> reported = new HashSet<>();

    WorkloadRoles(KubeApiClient management) {
        this.management = management;
    }

    /** Installs them in the clusters that do not have them yet. Returns a line for each cluster in which something is new. */
    List<String> install() {
        List<KubeObject> clusters = new ArrayList<>();
        String unreadable = management.forEachObject(CLUSTERS, "", MAX_OBJECTS, clusters::add);
        List<String> lines = new ArrayList<>();
        if (unreadable != null) {
            return lines;
        }
        for (KubeObject cluster : clusters) {
            String key = cluster.namespace() + "/" + cluster.name();
            if (installed.contains(key)) {
                continue;
            }
            String problem = installIn(cluster);
            if (problem == null) {
                installed.add(key);
                lines.add("installed the roles of node-worker and node-upgrader in cluster " + key);
            } else if (reported.add(key + problem)) {
                lines.add("the roles of node-worker and node-upgrader are not in cluster " + key + " yet: " + problem
                        + "; it is tried again");
            }
        }
        return lines;
    }

    private @Nullable String installIn(KubeObject cluster) {
        String name = cluster.name() + "-kubeconfig";
        KubeResponse secret = management.get(KubeApiPath.coreObject(cluster.namespace(), "secrets", name));
        if (!(secret instanceof KubeResponse.SuccessResponse success)) {
            return "Secret " + name + " cannot be read: " + secret.problem();
        }
        String kubeconfig = decode(success.object().text("data", "value"));
        if (kubeconfig == null) {
            return "Secret " + name + " has no kubeconfig";
        }
        try (KubeApiClient api = new KubeApiClient(
                KubeConnectionConfig.parseKubeconfig(kubeconfig).toClientConfig(null, TIMEOUT), 1)) {
            for (String manifest : MANIFESTS) {
                for (String document : DeployedManifest.text(manifest).split("\n---\n", -1)) {
                    String problem = apply(api, document);
                    if (problem != null) {
                        return problem;
                    }
                }
            }
            return null;
        } catch (KubeConnectionConfig.InvalidKubeconfigException e) {
            return "Secret " + name + ": " + e.getMessage();
        }
    }

    private static @Nullable String decode(@Nullable String encoded) {
        try {
            return encoded == null ? null : new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String apply(KubeApiClient api, String document) {
        if (!(YamlReader.read(document, DocumentLimits.SPECIFICATION_BYTES)
                        instanceof ParseResult.ParsedDocument parsed)
                || !(parsed.value() instanceof JsonObjectReader json)) {
            throw new IllegalStateException("a manifest of this build is not YAML");
        }
        KubeObject object = new KubeObject(json);
        String version = String.valueOf(object.text("apiVersion"));
        String kinds = String.valueOf(object.text("kind")).toLowerCase(Locale.ROOT) + "s";
        String namespace = object.text("metadata", "namespace");
        String path = (version.equals("v1") ? "/api/v1/" : "/apis/" + version + "/")
                + (namespace == null ? "" : "namespaces/" + namespace + "/") + kinds + "/" + object.name();
        KubeResponse response = api.serverSideApply(path + MANAGED_FIELDS, json);
        return response instanceof KubeResponse.SuccessResponse
                ? null
                : object.text("kind") + " " + object.name() + ": " + response.problem();
    }
}
