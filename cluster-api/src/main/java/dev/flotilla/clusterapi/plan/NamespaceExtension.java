package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.kube.KubeLabelMatcher;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.List;

/** What Cluster API would find if it asked for the extension of a namespace. */
sealed interface NamespaceExtension {
    /** The kind that registers an extension. */
    String EXTENSION_CONFIG = "ExtensionConfig";

    /** The label that the API server sets on each namespace. */
    String NAMESPACE_NAME = "kubernetes.io/metadata.name";

    /**
     * One extension answers.
     *
     * @param source where the table is from
     */
    record Answering(CoverageTable table, String source) implements NamespaceExtension {}

    /** No extension is registered for the namespace: Cluster API replaces machines without a question. */
    record NotRegistered(String reason) implements NamespaceExtension {}

    /** Each question fails, so that nothing is changed. */
    record Failing(String reason) implements NamespaceExtension {}

    /** The objects do not tell. */
    record Unknown(String problem) implements NamespaceExtension {}

    /**
     * Finds the extension.
     *
     * @param defaults what the settings of an ExtensionConfig add to
     * @param complete whether the objects have every ExtensionConfig there is
     */
    static NamespaceExtension find(ClusterObjects objects, String namespace, CoverageTable defaults, boolean complete) {
        List<KubeObject> registered = objects.ofKind(EXTENSION_CONFIG).stream()
                .filter(NamespaceExtension::servesHooks)
                .toList();
        if (registered.isEmpty()) {
            return complete
                    ? new NotRegistered("no extension for in-place updates is registered: no ExtensionConfig has the"
                            + " handler CanUpdateMachine")
                    : new Answering(
                            defaults,
                            "no ExtensionConfig in the files: judged by the "
                                    + (defaults.equals(CoverageTable.DEFAULT)
                                            ? "defaults"
                                            : "given settings and delegates")
                                    + ", as if an extension without settings were registered for namespace "
                                    + namespace);
        }
        KubeObject namespaceObject = objects.find("Namespace", "", namespace);
        KubeObject labels = namespaceObject == null
                ? new KubeObject(new JsonObjectReader.Builder()
                        .put(NAMESPACE_NAME, namespace)
                        .build())
                : new KubeObject(JsonEdits.put(namespaceObject.labels().json(), namespace, NAMESPACE_NAME));
        List<KubeObject> matching = new ArrayList<>();
        for (KubeObject each : registered) {
            KubeObject selector = each.object("spec", "namespaceSelector");
            if (namespaceObject == null && needsLabels(selector)) {
                return new Unknown("ExtensionConfig " + each.name()
                        + " selects namespaces by label, and the files have no" + " Namespace " + namespace
                        + ": add the output of kubectl get namespace " + namespace + " -o yaml");
            }
            if (new KubeLabelMatcher(selector).matches(labels)) {
                matching.add(each);
            }
        }
        return matching.size() == 1
                ? read(matching.getFirst(), defaults)
                : matching.isEmpty()
                        ? new NotRegistered("no ExtensionConfig selects namespace " + namespace
                                + "; see its spec.namespaceSelector and the labels of the namespace")
                        : new Failing("more than one ExtensionConfig selects namespace " + namespace + " ("
                                + String.join(
                                        ", ",
                                        matching.stream().map(KubeObject::name).toList())
                                + "), and Cluster API accepts one: narrow their spec.namespaceSelector");
    }

    /** A manifest has no status yet; the extension that it registers may serve the hooks. */
    private static boolean servesHooks(KubeObject config) {
        return !config.has("status", "handlers")
                || config.list("status", "handlers").stream()
                        .anyMatch(handler -> "CanUpdateMachine".equals(handler.text("requestHook", "hook")));
    }

    private static boolean needsLabels(KubeObject selector) {
        JsonObjectReader labels = selector.object("matchLabels").json();
        for (int i = 0; i < labels.size(); i++) {
            if (!labels.name(i).equals(NAMESPACE_NAME)) {
                return true;
            }
        }
        return selector.list("matchExpressions").stream()
                .anyMatch(expression -> !NAMESPACE_NAME.equals(expression.text("key")));
    }

    private static NamespaceExtension read(KubeObject config, CoverageTable defaults) {
        if (config.isCondition("Discovered", "False")) {
            return new Failing("ExtensionConfig " + config.name() + " is not discovered: see its condition Discovered");
        }
        return switch (CoverageSettings.readSettings(
                config.object("spec", "settings").json(), defaults)) {
            case CoverageSettings.SettingsResult.ValidSettings valid ->
                new Answering(valid.table(), "settings of ExtensionConfig " + config.name());
            case CoverageSettings.SettingsResult.InvalidSettings invalid ->
                new Failing("ExtensionConfig " + config.name() + ": " + invalid.problem());
        };
    }
}
