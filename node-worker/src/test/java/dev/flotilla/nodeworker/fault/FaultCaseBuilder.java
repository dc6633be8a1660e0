package dev.flotilla.nodeworker.fault;

import dev.flotilla.simulator.embedded.ClusterPlan;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.k8sd.K8sdAnswer;
import dev.flotilla.simulator.k8sd.K8sdFault;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.ObjectRef;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.node.Ending;
import dev.flotilla.simulator.node.NodeTemper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the rows of the table are made of. */
final class FaultCaseBuilder {
    static final long MINUTE = 60_000;
    static final String NAMESPACE = "fleet";
    static final ClusterPlan PLAIN = plan(NodeTemper.calm(5 * MINUTE, 0));
    static final ClusterPlan LONE = ClusterPlan.calm(FaultTestBed.CLUSTER, 1, 1).with(NodeTemper.calm(5 * MINUTE, 0));

    static final ObjectRef API_ADDRESSES = Resources.ENDPOINT_SLICES.named("default", "kubernetes");
    static final ObjectRef CONTROL_PLANE = Resources.CONTROL_PLANES.named(NAMESPACE, FaultTestBed.CLUSTER + "-control-plane");

    final List<FaultCase> all = new ArrayList<>();
    private final String group;

    FaultCaseBuilder(String group) {
        this.group = group;
    }

    static ClusterPlan plan(NodeTemper temper) {
        return ClusterPlan.calm(FaultTestBed.CLUSTER, 3, 2).with(temper);
    }

    /** Where every node is at its target already. */
    static ClusterPlan there() {
        return new ClusterPlan(FaultTestBed.CLUSTER, 3, 2, Map.of(), 3100, NodeTemper.calm(5 * MINUTE, 0), Map.of(), Map.of());
    }

    FaultCaseBuilder row(String what, FaultCase.FaultAction does, String ends, int calls) {
        return row(what, PLAIN, does, ends, calls);
    }

    FaultCaseBuilder row(String what, ClusterPlan cluster, FaultCase.FaultAction does, String ends, int calls) {
        all.add(new FaultCase(group, what, cluster, does, ends, calls));
        return this;
    }

    /** The node says so to the call, and does not do it. */
    FaultCaseBuilder call(String what, int status, String body, String ends) {
        return call(what, new K8sdAnswer.Said(status, body), false, K8sdFault.ALWAYS, ends);
    }

    FaultCaseBuilder call(String what, K8sdAnswer answer, boolean taken, int times, String ends) {
        return row(what, says(K8sdFault.REFRESH, answer, taken, times), ends, taken || ends.equals("upgraded") ? 1 : 0);
    }

    /** The node says so of its change, for so many questions, and then the truth. */
    FaultCaseBuilder poll(String what, K8sdAnswer answer, int times, String ends) {
        // From the call on: what it is asked before is another matter.
        return row(
                what,
                faultTestBed -> faultTestBed.fleet
                        .ledger()
                        .listen(call ->
                                faultTestBed.node.k8sd().script(new K8sdFault(K8sdFault.STATUS, false, answer, times))),
                ends,
                1);
    }

    /** The change ends so. */
    FaultCaseBuilder ends(String what, String status, String error, String ends) {
        return row(what, faultTestBed -> faultTestBed.node.node().endsNext(new Ending(status, error)), ends, 1);
    }

    static FaultCase.FaultAction says(String path, K8sdAnswer answer, boolean taken, int times) {
        return faultTestBed -> faultTestBed.node.k8sd().script(new K8sdFault(path, taken, answer, times));
    }

    static K8sdAnswer error(int code, String text) {
        return new K8sdAnswer.Said(code, envelope(code, text));
    }

    static String envelope(int code, String text) {
        return "{\"type\":\"error\",\"status\":\"\",\"status_code\":0,\"operation\":\"\",\"error_code\":" + code
                + ",\"error\":\"" + text + "\",\"metadata\":null}";
    }

    static String success(String metadata) {
        return "{\"type\":\"sync\",\"status\":\"Success\",\"status_code\":200,\"operation\":\"\",\"error_code\":0,"
                + "\"error\":\"\",\"metadata\":" + metadata + "}";
    }

    static ObjectRef machine(EmbeddedNode node) {
        return Resources.MACHINES.named(NAMESPACE, node.name());
    }

    /** Somebody writes an annotation on its Machine. */
    static FaultCase.FaultAction annotated(String key, String value) {
        return faultTestBed -> faultTestBed.cluster()
                .management()
                .store()
                .change(machine(faultTestBed.node), tree -> Json.with(tree, value, "metadata", "annotations", key));
    }
}
