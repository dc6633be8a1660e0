package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Upgrades a control plane's machines one after the other, in random order, behind a lock. Like the real controller, it
 * drops the lock when its machine gets another target, and then starts a second machine. The real lock is a ConfigMap
 * that nothing else reads; this one is in memory.
 */
final class FakeControlPlaneController {
    private final ProviderAnnotations providerAnnotations;
    private final Random order;
    private final Map<String, String> locks = new HashMap<>();

    FakeControlPlaneController(ProviderAnnotations providerAnnotations, long seed) {
        this.providerAnnotations = providerAnnotations;
        this.order = new Random(seed);
    }

    void reconcile(KubeObject controlPlane, List<KubeObject> machines) {
        String to = ProviderAnnotations.requestedRelease(controlPlane);
        if (to == null
                || to.isEmpty()
                || controlPlane.isDeleting()
                || !Objects.equals(
                        controlPlane.number("spec", "replicas"), controlPlane.number("status", "readyReplicas"))) {
            return;
        }
        String cluster = controlPlane.name();
        List<KubeObject> members = new ArrayList<>(machines.stream()
                .filter(machine -> machine.label("cluster.x-k8s.io/control-plane") != null
                        && cluster.equals(machine.text("spec", "clusterName")))
                .toList());
        String lock = locks.get(cluster);
        KubeObject locked = members.stream()
                .filter(machine -> machine.name().equals(lock))
                .findFirst()
                .orElse(null);
        if (locked != null) {
            if (!to.equals(ProviderAnnotations.requestedRelease(locked))
                    || ProviderAnnotations.isUpgraded(locked, to)) {
                locks.remove(cluster);
            } else if (ProviderAnnotations.isFailed(locked)) {
                providerAnnotations.markFailed(ControllerResource.CONTROL_PLANES, controlPlane);
            }
            return;
        }
        Collections.shuffle(members, order);
        for (KubeObject machine : members) {
            if (ProviderAnnotations.isUpgraded(machine, to)) {
                continue;
            }
            if (!machine.isDeleting()) {
                locks.put(cluster, machine.name());
                providerAnnotations.markToUpgrade(machine, to);
                providerAnnotations.markInProgress(ControllerResource.CONTROL_PLANES, controlPlane, to);
            }
            return;
        }
        providerAnnotations.markDone(ControllerResource.CONTROL_PLANES, controlPlane, to);
    }
}
