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

/** Builds the rows of one group of the table. */
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

    static WorkloadClusterSpec plan(NodeFaultProfile faults) {
        return WorkloadClusterSpec.withoutFaults(FaultTestBed.CLUSTER, 3, 2).with(faults);
    }

    /** A cluster whose nodes are all at the target already. */
    static WorkloadClusterSpec upgradedCluster() {
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

    FaultCaseBuilder row(String title, FaultCase.FaultAction action, String expectedEnd, int calls) {
        return row(title, PLAIN, action, expectedEnd, calls);
    }

    FaultCaseBuilder row(
            String title, WorkloadClusterSpec cluster, FaultCase.FaultAction action, String expectedEnd, int calls) {
        all.add(new FaultCase(group, title, cluster, action, expectedEnd, calls));
        return this;
    }

    /** A row in which the node responds so to the call, and does not perform it. */
    FaultCaseBuilder call(String title, int status, String body, String expectedEnd) {
        return call(
                title, new SimK8sdResponse.FullResponse(status, body), false, ScriptedK8sdFault.ALWAYS, expectedEnd);
    }

    FaultCaseBuilder call(String title, SimK8sdResponse response, boolean accepted, int times, String expectedEnd) {
        return row(
                title,
                respond(ScriptedK8sdFault.REFRESH, response, accepted, times),
                expectedEnd,
                accepted || expectedEnd.equals("upgraded") ? 1 : 0);
    }

    /** A row in which the node responds so to the first polls of its change, and correctly afterwards. */
    FaultCaseBuilder poll(String title, SimK8sdResponse response, int times, String expectedEnd) {
        // From the call on: earlier requests are not affected.
        return row(
                title,
                faultTestBed -> faultTestBed
                        .fleet
                        .ledger()
                        .addListener(call -> faultTestBed
                                .node
                                .k8sd()
                                .injectFault(new ScriptedK8sdFault(ScriptedK8sdFault.STATUS, false, response, times))),
                expectedEnd,
                1);
    }

    /** A row in which the change ends so. */
    FaultCaseBuilder changeEnds(String title, String status, String error, String expectedEnd) {
        return row(
                title,
                faultTestBed -> faultTestBed.node.node().scriptNextChangeEnd(new ScriptedChangeEnd(status, error)),
                expectedEnd,
                1);
    }

    static FaultCase.FaultAction respond(String path, SimK8sdResponse response, boolean accepted, int times) {
        return faultTestBed ->
                faultTestBed.node.k8sd().injectFault(new ScriptedK8sdFault(path, accepted, response, times));
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

    /** Another client writes an annotation on the Machine. */
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
