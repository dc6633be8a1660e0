package dev.flotilla.kube;

import java.util.List;

/** How an extension is registered with Cluster API: an ExtensionConfig, and a label on the namespaces that it serves. */
public final class ExtensionRegistration {
    /** The API group of ExtensionConfigs. */
    public static final String GROUP = "runtime.cluster.x-k8s.io";

    /** ExtensionConfigs in the path of a request. */
    public static final String EXTENSION_CONFIGS = "extensionconfigs";

    /** The shipped Service and the Deployment of Flotilla's extension. */
    public static final String SERVICE = "flotilla-cluster-api-extension";

    /** The label of namespaces that take part in updates in place. */
    public static final String NAMESPACE_LABEL = "flotilla.dev/in-place";

    /** The value of that label. */
    public static final String ENABLED = "enabled";

    /** Bootstrap configs of which the extension covers what another Kubernetes version brings, unless settings say otherwise. */
    public static final List<String> BOOTSTRAP_KINDS =
            List.of("KubeadmConfig", "CK8sConfig", "KThreesConfig", "RKE2Config");

    private ExtensionRegistration() {}

    /** Whether the extension covers another version of machines with this kind of bootstrap template. */
    public static boolean coversVersionOf(String templateKind) {
        return BOOTSTRAP_KINDS.stream().anyMatch(kind -> templateKind.equals(kind + "Template"));
    }

    /** Whether an ExtensionConfig registers Flotilla's extension: it names the shipped Service, or has the label of the shipped objects. */
    public static boolean isOurs(KubeObject extensionConfig) {
        return SERVICE.equals(extensionConfig.text("spec", "clientConfig", "service", "name"))
                || "flotilla".equals(extensionConfig.label("app.kubernetes.io/part-of"));
    }
}
