package dev.flotilla.nodeworker.bed;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.testkit.kube.KubeOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A site on the test bed whose management cluster serves NodeUpgrades, by the CRDs and with the roles that are deployed. The test
 * plays their controller.
 */
public final class NodeUpgradeTestBed implements AutoCloseable {
    public static final NodeUpgradeTemplateRef TEMPLATE =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm");
    public static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.36.3");
    static final String API = "/apis/flotilla.dev/v1alpha1/namespaces/fleet/";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";
    private static final String WORKER_ROLE = ROLES + "flotilla-node-upgrade-worker";

    public final SiteTestBed siteTestBed;

    public NodeUpgradeTestBed(int members, int workers) throws Exception {
        siteTestBed = new SiteTestBed(
                members, workers, KubeOptions.apiServer().withControllers("clusterrole-aggregation-controller"));
        for (String crd : List.of("nodeupgrades", "nodeupgradetemplates")) {
            SiteTestBed.apply(siteTestBed.management, Path.of("../deploy/crds", crd + ".yaml"));
        }
        SiteTestBed.await("the CRDs to be served", this::hasTemplate);
        allow();
    }

    private boolean hasTemplate() {
        try {
            siteTestBed.management.apply(API + "nodeupgradetemplates/" + TEMPLATE.name(), """
                {apiVersion: flotilla.dev/v1alpha1, kind: NodeUpgradeTemplate, metadata: {name: kubeadm, namespace: fleet},
                 spec: {template: {spec: {plan: kubeadm}}}}
                """);
            return true;
        } catch (IllegalStateException notServedYet) {
            return false;
        }
    }

    /** Applies the role that a controller of NodeUpgrades brings, and waits until the worker has it. */
    void allow() throws Exception {
        siteTestBed.management.apply(WORKER_ROLE, """
            {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: flotilla-node-upgrade-worker,
               labels: {flotilla.dev/aggregate-to-node-worker: 'true'}}, rules: [
               {apiGroups: [flotilla.dev], resources: [nodeupgrades], verbs: [get, create, patch]},
               {apiGroups: [flotilla.dev], resources: [nodeupgradetemplates], verbs: [get]}]}
            """);
        SiteTestBed.await("the role to be aggregated", () -> aggregatedRules() == 2);
    }

    /** Removes that role. */
    void forbid() throws Exception {
        siteTestBed.management.delete(WORKER_ROLE);
        SiteTestBed.await("the role to be gone", () -> aggregatedRules() == 0);
    }

    private int aggregatedRules() {
        return siteTestBed.managementAdmin.get(ROLES + "flotilla-node-worker-node-upgrades")
                        instanceof KubeResponse.SuccessResponse success
                ? success.object().list("rules").size()
                : 0;
    }

    /** The name of the object of an attempt. */
    public String nameOf(TestBedNode node, long attempt) {
        return NodeUpgradeName.of(node.machine(), siteTestBed.uid(node), TARGET, attempt);
    }

    /** The object of an attempt; null if there is none. */
    public @Nullable KubeObject object(TestBedNode node, long attempt) {
        return siteTestBed.managementAdmin.get(API + "nodeupgrades/" + nameOf(node, attempt))
                        instanceof KubeResponse.SuccessResponse success
                ? success.object()
                : null;
    }

    /** The names of all objects. */
    public List<String> objects() {
        return ((KubeResponse.SuccessResponse) siteTestBed.managementAdmin.get(API + "nodeupgrades"))
                .object().list("items").stream().map(KubeObject::name).toList();
    }

    /** Writes a phase with a heartbeat. */
    public void report(TestBedNode node, long attempt, String phase) {
        KubeResponse response = siteTestBed.managementAdmin.mergePatch(
                API + "nodeupgrades/" + nameOf(node, attempt) + "/status",
                ImmutableJson.object(
                        "status",
                        ImmutableJson.object(
                                "phase",
                                phase,
                                "lastHeartbeat",
                                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())));
        if (!(response instanceof KubeResponse.SuccessResponse)) {
            throw new IllegalStateException(response.problem());
        }
    }

    /** The kubelet of a node has another version from now on. */
    public void upgradeNode(TestBedNode node) {
        KubeResponse response = siteTestBed.workloadAdmin.mergePatch(
                "/api/v1/nodes/" + node.name() + "/status",
                ImmutableJson.object(
                        "status", ImmutableJson.object("nodeInfo", ImmutableJson.object("kubeletVersion", "v1.36.3"))));
        if (!(response instanceof KubeResponse.SuccessResponse)) {
            throw new IllegalStateException(response.problem());
        }
    }

    @Override
    public void close() {
        siteTestBed.close();
    }
}
