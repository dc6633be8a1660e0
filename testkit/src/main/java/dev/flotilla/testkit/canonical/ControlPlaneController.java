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
 * A control plane's machines one after the other, in any order, behind a lock that it drops when its machine is on the way to
 * something else: then a second one is begun. The lock is a ConfigMap there, at which nobody else looks; here it is kept.
 */
final class ControlPlaneController {
    private final Marks marks;
    private final Random order;
    private final Map<String, String> locks = new HashMap<>();

    ControlPlaneController(Marks marks, long seed) {
        this.marks = marks;
        this.order = new Random(seed);
    }

    void reconcile(KubeObject controlPlane, List<KubeObject> machines) {
        String to = Marks.instructions(controlPlane);
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
            if (!to.equals(Marks.instructions(locked)) || Marks.isUpgraded(locked, to)) {
                locks.remove(cluster);
            } else if (Marks.isFailed(locked)) {
                marks.markFailed(Place.CONTROL_PLANES, controlPlane);
            }
            return;
        }
        Collections.shuffle(members, order);
        for (KubeObject machine : members) {
            if (Marks.isUpgraded(machine, to)) {
                continue;
            }
            if (!machine.isDeleting()) {
                locks.put(cluster, machine.name());
                marks.markToUpgrade(machine, to);
                marks.markInProgress(Place.CONTROL_PLANES, controlPlane, to);
            }
            return;
        }
        marks.markDone(Place.CONTROL_PLANES, controlPlane, to);
    }
}
