package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.kube.KubeApiPath;

/**
 * A kind of NodeUpgrades: {@code NodeUpgrade} of {@code flotilla.dev}, or another controller's kind in its place.
 *
 * @param apiVersion API group and version
 * @param plural the resource in paths
 */
public record NodeUpgradeKind(String apiVersion, String kind, String plural) {
    String path(String namespace) {
        return KubeApiPath.groupObject(apiVersion, namespace, plural);
    }

    String path(String namespace, String name) {
        return KubeApiPath.groupObject(apiVersion, namespace, plural, name);
    }
}
