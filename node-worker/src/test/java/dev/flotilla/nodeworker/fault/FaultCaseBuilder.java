package dev.flotilla.nodeworker.fault;

import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.simulator.k8sd.ScriptedK8sdFault;
import dev.flotilla.simulator.k8sd.SimK8sdResponse;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.ScriptedChangeEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the rows of the table are made of. */
final class FaultCaseBuilder {
    static final long MINUTE = 60_000;
    static final String NAMESPACE = "fleet";
    static final WorkloadClusterSpec PLAIN = plan(NodeFaultProfile.withoutFaults(5 * MINUTE, 0));
    static final WorkloadClusterSpec LONE = WorkloadClusterSpec.withoutFaults(FaultTestBed.CLUSTER, 1, 1)
            .with(NodeFaultProfile.withoutFaults(5 * MINUTE, 0));

    static final ObjectReference API_ADDRESSES = BuiltInResources.ENDPOINT_SLICES.named("default", "kubernetes");
    static final ObjectReference CONTROL_PLANE =
            BuiltInResources.CONTROL_PLANES.named(NAMESPACE, FaultTestBed.CLUSTER + "-control-plane");

    final List<FaultCase> all = new ArrayList<>();
    private final String group;

    FaultCaseBuilder(String group) {
        this.group = group;
    }

    static WorkloadClusterSpec plan(NodeFaultProfile temper) {
        return WorkloadClusterSpec.withoutFaults(FaultTestBed.CLUSTER, 3, 2).with(temper);
    }

    /** Where every node is at its target already. */
    static WorkloadClusterSpec there() {
        return new WorkloadClusterSpec(
                FaultTestBed.CLUSTER,
                3,
                2,
                Map.of(),
                3100,
                NodeFaultProfile.withoutFaults(5 * MINUTE, 0),
                Map.of(),
                Map.of());
    }

    FaultCaseBuilder row(String what, FaultCase.FaultAction does, String ends, int calls) {
        return row(what, PLAIN, does, ends, calls);
    }

    FaultCaseBuilder row(String what, WorkloadClusterSpec cluster, FaultCase.FaultAction does, String ends, int calls) {
        all.add(new FaultCase(group, what, cluster, does, ends, calls));
        return this;
    }

    /** The node says so to the call, and does not do it. */
    FaultCaseBuilder call(String what, int status, String body, String ends) {
        return call(what, new SimK8sdResponse.FullResponse(status, body), false, ScriptedK8sdFault.ALWAYS, ends);
    }

    FaultCaseBuilder call(String what, SimK8sdResponse answer, boolean taken, int times, String ends) {
        return row(
                what,
                says(ScriptedK8sdFault.REFRESH, answer, taken, times),
                ends,
                taken || ends.equals("upgraded") ? 1 : 0);
    }

    /** The node says so of its change, for so many questions, and then the truth. */
    FaultCaseBuilder poll(String what, SimK8sdResponse answer, int times, String ends) {
        // From the call on: what it is asked before is another matter.
        return row(
                what,
                faultTestBed -> faultTestBed
                        .fleet
                        .ledger()
                        .addListener(call -> faultTestBed
                                .node
                                .k8sd()
                                .injectFault(new ScriptedK8sdFault(ScriptedK8sdFault.STATUS, false, answer, times))),
                ends,
                1);
    }

    /** The change ends so. */
    FaultCaseBuilder ends(String what, String status, String error, String ends) {
        return row(
                what,
                faultTestBed -> faultTestBed.node.node().scriptNextChangeEnd(new ScriptedChangeEnd(status, error)),
                ends,
                1);
    }

    static FaultCase.FaultAction says(String path, SimK8sdResponse answer, boolean taken, int times) {
        return faultTestBed -> faultTestBed.node.k8sd().injectFault(new ScriptedK8sdFault(path, taken, answer, times));
    }

    static SimK8sdResponse error(int code, String text) {
        return new SimK8sdResponse.FullResponse(code, envelope(code, text));
    }

    static String envelope(int code, String text) {
        return "{\"type\":\"error\",\"status\":\"\",\"status_code\":0,\"operation\":\"\",\"error_code\":" + code
                + ",\"error\":\"" + text + "\",\"metadata\":null}";
    }

    static String success(String metadata) {
        return "{\"type\":\"sync\",\"status\":\"Success\",\"status_code\":200,\"operation\":\"\",\"error_code\":0,"
                + "\"error\":\"\",\"metadata\":" + metadata + "}";
    }

    static ObjectReference machine(EmbeddedNode node) {
        return BuiltInResources.MACHINES.named(NAMESPACE, node.name());
    }

    /** Somebody writes an annotation on its Machine. */
    static FaultCase.FaultAction annotated(String key, String value) {
        return faultTestBed -> faultTestBed
                .cluster()
                .management()
                .store()
                .change(
                        machine(faultTestBed.node),
                        tree -> ImmutableJson.with(tree, value, "metadata", "annotations", key));
    }
}
