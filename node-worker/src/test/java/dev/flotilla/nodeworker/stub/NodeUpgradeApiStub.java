package dev.flotilla.nodeworker.stub;

import dev.flotilla.nodeworker.upgrade.NodeUpgradeParameters;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The API of NodeUpgrades in the stub of a management cluster. The test plays their controller. */
public final class NodeUpgradeApiStub {
    public static final String API = "/apis/flotilla.dev/v1alpha1";
    public static final String OBJECTS = API + "/namespaces/fleet/nodeupgrades";
    public static final String TEMPLATE = API + "/namespaces/fleet/nodeupgradetemplates/kubeadm";
    public static final String DEFINITION =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nodeupgrades.flotilla.dev";
    public static final NodeUpgradeTemplateRef REF =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm");
    public static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.36.3");

    private NodeUpgradeApiStub() {}

    /** Serves the kinds of the contract, and a template. */
    public static void serve(KubeApiStub management) {
        management.put(API, SampleObjects.json("""
                {'resources': [{'name': 'nodeupgrades', 'kind': 'NodeUpgrade', 'namespaced': true},
                  {'name': 'nodeupgrades/status', 'kind': 'NodeUpgrade', 'namespaced': true},
                  {'name': 'nodeupgradetemplates', 'kind': 'NodeUpgradeTemplate', 'namespaced': true}]}"""));
        management.put(DEFINITION, SampleObjects.json("{'metadata': {'labels': {'flotilla.dev/node-upgrade': 'v1'}}}"));
        management.put(TEMPLATE, SampleObjects.json("{'spec': {'template': {'spec': {'plan': 'kubeadm'}}}}"));
    }

    /** The parameters of an attempt on worker m-1. */
    public static UpgradeAttemptParameters worker(long attempt, @Nullable NodeUpgradeTemplateRef template) {
        return worker(attempt, template, TARGET);
    }

    public static UpgradeAttemptParameters worker(
            long attempt, @Nullable NodeUpgradeTemplateRef template, UpgradeTarget target) {
        return parameters(attempt, "m-1", TwoClusterFixture.UID, MachineRole.WORKER)
                .withNodeUpgrade(new NodeUpgradeParameters(template, target));
    }

    /** The parameters of an attempt on control-plane member m-cp. */
    public static UpgradeAttemptParameters member(long attempt) {
        return parameters(attempt, "m-cp", "u-cp", MachineRole.CONTROL_PLANE)
                .withNodeUpgrade(new NodeUpgradeParameters(REF, TARGET));
    }

    private static UpgradeAttemptParameters parameters(long attempt, String machine, String uid, MachineRole role) {
        return new UpgradeAttemptParameters(key(machine), uid, attempt, role, 1, "0/a");
    }

    private static MachineKey key(String machine) {
        return new MachineKey(TwoClusterFixture.blue().site(), "fleet", machine);
    }

    /** The name of the object of an attempt on worker m-1. */
    public static String objectName(long attempt) {
        return NodeUpgradeName.of(key("m-1"), TwoClusterFixture.UID, TARGET, attempt);
    }

    /** The paths of all objects. */
    public static List<String> objects(KubeApiStub management) {
        return management.objects.keySet().stream()
                .filter(path -> path.startsWith(OBJECTS + "/"))
                .toList();
    }

    /** Writes the status of an object as its controller. */
    public static void report(KubeApiStub management, String path, String status) {
        JsonObject object = management.objects.get(path).copy().put("status", SampleObjects.json(status));
        management.put(path, object);
    }
}
