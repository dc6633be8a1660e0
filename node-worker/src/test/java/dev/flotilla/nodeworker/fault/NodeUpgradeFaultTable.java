package dev.flotilla.nodeworker.fault;

import dev.flotilla.nodeworker.fault.NodeUpgradeFaultCase.Controller;
import dev.flotilla.nodeworker.fault.NodeUpgradeFaultCase.Fault;
import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** What can go wrong with the NodeUpgrade of one machine, and how its attempt must end. */
final class NodeUpgradeFaultTable {
    static final String OLD = "v1.35.4";
    private static final String NEW = "v1.36.3";
    private static final String POST = "POST " + NodeUpgradeApiStub.OBJECTS;
    private static final String OBJECT = NodeUpgradeApiStub.OBJECTS + "/" + NodeUpgradeApiStub.objectName(7);
    private static final String UPGRADED = "upgraded";
    private static final String UNKNOWN = "unknown";
    private static final String REJECTED = "refresh-rejected, terminal";
    private static final String LOST = "change-lost, retryable";
    private static final String FAILED = "node-upgrade-failed, retryable";
    private static final Fault NONE = world -> {};

    /** It works for a round, and the node is new when it says so. */
    private static final Controller HONEST = (world, path, round) -> {
        report(world, path, round == 0 ? "'phase': 'Running'" : "'phase': 'Succeeded'");
        NodeUpgradeAttemptRunner.putNode(world, round == 0 ? OLD : NEW);
    };

    private final List<NodeUpgradeFaultCase> all = new ArrayList<>();
    private String group = "";
    private boolean isCancelled;

    private NodeUpgradeFaultTable() {}

    static List<NodeUpgradeFaultCase> rows() {
        NodeUpgradeFaultTable table = new NodeUpgradeFaultTable();
        table.group = "The NodeUpgrade is created, or not";
        table.addCreation();
        table.group = "The status of the NodeUpgrade tells no end";
        table.addStatus();
        table.group = "The NodeUpgrade ends";
        table.addEnds();
        table.group = "The attempt is cancelled after its call";
        table.isCancelled = true;
        table.addCancellations();
        return table.all;
    }

    private void add(String title, Fault fault, Controller controller, String end, int objects) {
        all.add(new NodeUpgradeFaultCase(group, title, fault, controller, end, objects, isCancelled));
    }

    private void addCreation() {
        add("nothing goes wrong", NONE, HONEST, UPGRADED, 1);
        add(
                "the template is not there",
                world -> world.management.objects.remove(NodeUpgradeApiStub.TEMPLATE),
                HONEST,
                "deferred",
                0);
        add(
                "the CRD has no label of the contract",
                world -> world.management.put(NodeUpgradeApiStub.DEFINITION, SampleObjects.json("{'metadata': {}}")),
                HONEST,
                "deferred",
                0);
        add("the API server rejects the object when it is tried", refuseTry(422), HONEST, REJECTED, 0);
        add("the API server rejects the object when it is created", refuseCall(422), HONEST, REJECTED, 0);
        add("the worker may not create it", refuseTry(403), HONEST, "credentials, retryable", 0);
        add("the API server has too many requests for a moment", refuseCall(429), HONEST, UPGRADED, 1);
        add("the API server fails, and has not created it", refuseCall(500), HONEST, LOST, 0);
        add(
                "the connection closes after it was created",
                afterTry(world -> world.management.cut(POST)),
                HONEST,
                UPGRADED,
                1);
        add("another worker has created it for this attempt", existing("version=v1.36.3"), HONEST, UPGRADED, 1);
        add("somebody else's object has its name", existing("version=v1.36.2"), HONEST, REJECTED, 1);
    }

    private static Fault refuseTry(int status) {
        return world -> world.management.refuse(POST, status);
    }

    private static Fault refuseCall(int status) {
        return afterTry(refuseTry(status));
    }

    private static Fault afterTry(Fault fault) {
        return world -> world.management.before(POST, () -> fault.inject(world));
    }

    private static Fault existing(String target) {
        return afterTry(world -> world.management.put(OBJECT, SampleObjects.json("""
                {'kind': 'NodeUpgrade', 'spec': {'target': '%s', 'clusterName': 'blue', 'attemptId': 7,
                 'machine': {'name': 'm-1', 'uid': 'u-1'}, 'node': 'w-1', 'role': 'worker'}}""".formatted(target))));
    }

    private void addStatus() {
        status("it has none", "", UNKNOWN);
        status("it runs for hours", "'phase': 'Running'", UNKNOWN);
        status("its heartbeat stops", "'phase': 'Running', 'lastHeartbeat': '2026-03-01T12:00:00Z'", UNKNOWN);
        status("its heartbeat is years ahead", "'phase': 'Running', 'lastHeartbeat': '2036-03-01T12:00:00Z'", UNKNOWN);
        status("its heartbeat is no date", "'phase': 'Running', 'lastHeartbeat': 'now'", UNKNOWN);
        status("its phase is not in the contract", "'phase': 'Done'", UNKNOWN);
        status("its phase is no text", "'phase': {'Succeeded': true}", UNKNOWN);
        add(
                "it is of another machine",
                NONE,
                (world, path, round) -> {
                    world.management.objects.get(path).getJsonObject("spec").put("machine", new JsonObject());
                    report(world, path, "'phase': 'Succeeded'");
                },
                UNKNOWN,
                1);
        add(
                "it has none, and the node is upgraded",
                NONE,
                (world, path, round) -> NodeUpgradeAttemptRunner.putNode(world, NEW),
                UPGRADED,
                1);
        add("the object is deleted", NONE, (world, path, round) -> world.management.objects.remove(path), LOST, 0);
        add(
                "the object is deleted, and the node is upgraded",
                NONE,
                (world, path, round) -> {
                    world.management.objects.remove(path);
                    NodeUpgradeAttemptRunner.putNode(world, NEW);
                },
                UPGRADED,
                0);
    }

    private void status(String title, String status, String end) {
        add(title, NONE, (world, path, round) -> report(world, path, status), end, 1);
    }

    private void addEnds() {
        status("Failed, retryable", "'phase': 'Failed', 'retryable': true, 'failureReason': 'StepFailed'", FAILED);
        status(
                "Failed, not retryable",
                "'phase': 'Failed', 'retryable': false, 'failureReason': 'StepFailed', 'failureMessage': 'no space left',"
                        + " 'steps': [{'name': 'upgrade', 'state': 'Failed', 'exitCode': 3}]",
                "node-upgrade-failed, terminal");
        status("Failed, without a reason", "'phase': 'Failed'", FAILED);
        status("Failed, and retryable is a text", "'phase': 'Failed', 'retryable': 'false'", FAILED);
        status("Aborted by a person", "'phase': 'Aborted', 'failureMessage': 'before step restart'", FAILED);
        status("Succeeded, and the kubelet is the old one", "'phase': 'Succeeded'", "not-at-target, retryable");
        add(
                "Succeeded, and the node is not Ready",
                NONE,
                (world, path, round) -> {
                    report(world, path, "'phase': 'Succeeded'");
                    NodeUpgradeAttemptRunner.putNode(world, NEW);
                    SampleObjects.notReady(world.workload.objects.get(TwoClusterFixture.NODE));
                },
                "node-not-ready, retryable",
                1);
        add(
                "Succeeded, and another version than the target's",
                NONE,
                (world, path, round) -> {
                    report(world, path, "'phase': 'Succeeded', 'observedVersion': 'v1.36.3'");
                    NodeUpgradeAttemptRunner.putNode(world, "v1.36.4");
                },
                "not-at-target, retryable",
                1);
    }

    private void addCancellations() {
        add(
                "the controller stops before its next step",
                NONE,
                (world, path, round) -> {
                    boolean isAsked = "Abort"
                            .equals(world.management
                                    .objects
                                    .get(path)
                                    .getJsonObject("spec")
                                    .getString("phase"));
                    report(
                            world,
                            path,
                            isAsked
                                    ? "'phase': 'Aborted', 'failureMessage': 'before step restart'"
                                    : "'phase': 'Running'");
                },
                "aborted",
                1);
        add("all steps are done already", NONE, HONEST, UPGRADED, 1);
        status("the step that runs fails", "'phase': 'Failed', 'failureReason': 'StepFailed'", FAILED);
        status("the controller does not stop", "'phase': 'Running'", UNKNOWN);
        add(
                "the object is deleted while the step runs",
                NONE,
                (world, path, round) -> world.management.objects.remove(path),
                LOST,
                0);
    }

    /** Writes a status, with a heartbeat unless it has one. */
    private static void report(TwoClusterFixture world, String path, String status) {
        boolean silent = status.isEmpty() || status.contains("lastHeartbeat");
        NodeUpgradeApiStub.report(
                world.management, path, "{" + status + (silent ? "" : ", 'lastHeartbeat': '" + world.now + "'") + "}");
    }
}
