package dev.flotilla.nodeworker.fault;

import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.embedded.EmbeddedNode;
import dev.flotilla.simulator.k8sd.ScriptedK8sdFault;
import dev.flotilla.simulator.k8sd.SimK8sdResponse;
import dev.flotilla.simulator.kubernetes.ApiReachability;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.ApiResource;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.node.NodeFaultProfile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** What can go wrong on one machine, and how its attempt must end. */
final class FaultCaseTable {
    private static final String UPGRADED = "upgraded";
    private static final String UNKNOWN = "unknown";
    private static final String REJECTED = "refresh-rejected, terminal";
    private static final String UNREACHABLE = "unreachable, retryable";
    private static final String ERROR = "refresh-error, retryable";
    private static final String NOT_AT_TARGET = "not-at-target, retryable";
    private static final int HUNDRED = 100;
    private static final int HUGE = 100_000;

    private FaultCaseTable() {}

    static List<FaultCase> rows() {
        return Stream.of(
                        rejections(),
                        waits(),
                        uncertainCalls(),
                        changes(),
                        nodes(),
                        targets(),
                        members(),
                        beforeTheCall())
                .flatMap(faultCaseBuilder -> faultCaseBuilder.all.stream())
                .toList();
    }

    private static NodeFaultProfile faults(int lies, int hangs, int reboots, int forgets, int unready, int dies) {
        return new NodeFaultProfile(
                5 * FaultCaseBuilder.MINUTE, 0, false, 0, lies, hangs, reboots, forgets, 0, unready, dies);
    }

    private static FaultCaseBuilder rejections() {
        return new FaultCaseBuilder("The node rejects the call")
                .row(
                        "the token in the Secret is not the node's",
                        faultTestBed -> tokens(faultTestBed, "another"),
                        "credentials, terminal",
                        0)
                .call(
                        "the node cannot read its own token",
                        500,
                        FaultCaseBuilder.envelope(500, "failed to read node access token: permission denied"),
                        "credentials, retryable")
                .call(
                        "the node does not know the body",
                        400,
                        FaultCaseBuilder.envelope(400, "failed to parse request: json: unknown field"),
                        REJECTED)
                .call(
                        "the node finds no target in the body",
                        400,
                        FaultCaseBuilder.envelope(400, "invalid refresh options: empty snap refresh target"),
                        REJECTED)
                .call("the node has no such path", 404, FaultCaseBuilder.envelope(404, "not found"), REJECTED)
                .call(
                        "the node does not implement the call",
                        501,
                        FaultCaseBuilder.envelope(501, "not implemented"),
                        REJECTED)
                .call("snap rejects the arguments", 500, snap("exit status 64"), REJECTED)
                .call("snapd rejects the refresh", 500, snap("exit status 1"), "refresh-rejected, retryable")
                .call(
                        "the snap is confined strictly",
                        500,
                        snap("refresh operation not available on strictly confined deployments"),
                        REJECTED)
                .row(
                        "k8sd runs under pebble, and the target is a revision",
                        faultTestBed -> faultTestBed.node.k8sd().runUnderPebble(),
                        REJECTED,
                        0);
    }

    private static String snap(String text) {
        return FaultCaseBuilder.envelope(500, "failed to refresh snap: failed to refresh snap: " + text);
    }

    private static FaultCaseBuilder waits() {
        FaultCaseBuilder faultCaseBuilder = new FaultCaseBuilder("The node does not accept the call yet");
        faultCaseBuilder
                .call("another change runs for a long time", 500, snap("exit status 10"), "node-busy, retryable")
                .call(
                        "another change runs for a while",
                        FaultCaseBuilder.error(500, "failed to refresh snap: exit status 10"),
                        false,
                        3,
                        UPGRADED)
                .row(
                        "the node refreshes itself to the target before the call",
                        faultTestBed -> faultTestBed.node.node().startUnsolicitedRefresh(3100),
                        "unchanged",
                        0)
                .row(
                        "the node refreshes itself to another revision before the call",
                        faultTestBed -> faultTestBed.node.node().startUnsolicitedRefresh(3050),
                        UPGRADED,
                        1);
        for (String text : List.of(
                "Daemon is shutting down",
                "Database is still starting",
                "Database is offline",
                "Database is not yet initialized",
                "Database is waiting for an upgrade: 2 cluster members have not yet received the update")) {
            faultCaseBuilder.call(
                    "503 for a long time: " + text, 503, FaultCaseBuilder.envelope(503, text), UNREACHABLE);
        }
        return faultCaseBuilder
                .call("503 for a moment", FaultCaseBuilder.error(503, "Database is still starting"), false, 2, UPGRADED)
                .call(
                        "the node's version is behind that of the other members",
                        500,
                        FaultCaseBuilder.envelope(500, "This node's version is behind, please upgrade"),
                        UNREACHABLE);
    }

    private static FaultCaseBuilder uncertainCalls() {
        String accepted = FaultCaseBuilder.success("{\"changeId\":\"100\"}");
        return new FaultCaseBuilder("It is unknown whether the node accepted the call")
                .call(
                        "the connection closes after the call was accepted",
                        new SimK8sdResponse.ConnectionClosed(),
                        true,
                        1,
                        UPGRADED)
                .call(
                        "the connection closes before the call was accepted",
                        new SimK8sdResponse.ConnectionClosed(),
                        false,
                        1,
                        UNKNOWN)
                .call(
                        "the response is truncated, and the call was accepted",
                        new SimK8sdResponse.TruncatedResponse(200, accepted),
                        true,
                        1,
                        UPGRADED)
                .call(
                        "the response is truncated, and the call was not accepted",
                        new SimK8sdResponse.TruncatedResponse(200, accepted),
                        false,
                        1,
                        UNKNOWN)
                .call("half an object", 200, accepted.substring(0, 60), UNKNOWN)
                .call("an empty response", 200, "", UNKNOWN)
                .call("a web page", 200, "<html>it works</html>", UNKNOWN)
                .call("JSON that is not k8sd's", 200, "{\"changeId\":\"100\"}", UNKNOWN)
                .call("a duplicate field name", 200, accepted.replace("\"operation\"", "\"type\""), UNKNOWN)
                .call("no change id", 200, FaultCaseBuilder.success("{}"), UNKNOWN)
                .call("a change id that is a number", 200, FaultCaseBuilder.success("{\"changeId\":100}"), UNKNOWN)
                .call("a change id that is a path", 200, FaultCaseBuilder.success("{\"changeId\":\"../1\"}"), UNKNOWN)
                .call(
                        "a response that is too large",
                        200,
                        FaultCaseBuilder.success("{\"changeId\":\"" + "1".repeat(HUGE) + "\"}"),
                        UNKNOWN)
                .call("a redirect", 302, FaultCaseBuilder.success("{}"), UNKNOWN)
                .call("a gateway's timeout", 504, FaultCaseBuilder.envelope(504, "timeout"), UNKNOWN)
                .call("an unknown error", 500, FaultCaseBuilder.envelope(500, "signal: killed"), UNKNOWN);
    }

    private static FaultCaseBuilder changes() {
        return new FaultCaseBuilder("The change fails")
                .changeEnds(
                        "the change ends in an error",
                        "Error",
                        "ERROR: upgrade blocked: k8s-dqlite is no longer supported in version 1.36 and later.",
                        ERROR)
                .changeEnds("the change ends in an error without a message", "Error", "", ERROR)
                .changeEnds("the change is undone", "Undone", "", ERROR)
                .changeEnds("the change is on hold", "Hold", "", ERROR)
                .changeEnds("the change waits for a restart of the node", "Wait", "", UNKNOWN)
                .changeEnds("the change is being undone forever", "Undoing", "", UNKNOWN)
                .row(
                        "the change hangs",
                        FaultCaseBuilder.plan(faults(0, HUNDRED, 0, 0, 0, 0)),
                        faultTestBed -> {},
                        UNKNOWN,
                        1)
                .row(
                        "the change is forgotten, and was done",
                        FaultCaseBuilder.plan(faults(0, 0, 0, HUNDRED, 0, 0)),
                        faultTestBed -> {},
                        UPGRADED,
                        1)
                .row(
                        "the change is forgotten, and was not done",
                        FaultCaseBuilder.plan(faults(HUNDRED, 0, 0, HUNDRED, 0, 0)),
                        faultTestBed -> {},
                        "change-lost, retryable",
                        1)
                .row(
                        "the change is done, and the old revision still runs",
                        FaultCaseBuilder.plan(faults(HUNDRED, 0, 0, 0, 0, 0)),
                        faultTestBed -> {},
                        NOT_AT_TARGET,
                        1)
                .poll(
                        "the change ends with an unknown status",
                        new SimK8sdResponse.FullResponse(
                                200,
                                FaultCaseBuilder.success(
                                        "{\"status\":\"Finished\",\"completed\":true,\"errorMessage\":\"\"}")),
                        1,
                        ERROR)
                .poll(
                        "the change is completed, and its status is Doing",
                        new SimK8sdResponse.FullResponse(
                                200,
                                FaultCaseBuilder.success(
                                        "{\"status\":\"Doing\",\"completed\":true,\"errorMessage\":\"\"}")),
                        1,
                        ERROR)
                .poll("polls are cut off for a while", new SimK8sdResponse.ConnectionClosed(), 10, UPGRADED)
                .poll("polls are rejected for a while", FaultCaseBuilder.error(401, "invalid token"), 5, UPGRADED)
                .poll(
                        "the database is closed for a while",
                        FaultCaseBuilder.error(503, "Database is still starting"),
                        10,
                        UPGRADED)
                .poll(
                        "polls are answered with a web page forever",
                        new SimK8sdResponse.FullResponse(200, "<html>it works</html>"),
                        ScriptedK8sdFault.ALWAYS,
                        UPGRADED);
    }

    private static FaultCaseBuilder nodes() {
        return new FaultCaseBuilder("The node becomes unreachable")
                .row(
                        "the node restarts during the change",
                        FaultCaseBuilder.plan(faults(0, 0, HUNDRED, 0, 0, 0)),
                        faultTestBed -> {},
                        UPGRADED,
                        1)
                .row("the node never comes back", FaultCaseTable::losesNodeForever, UNKNOWN, 1)
                .row(
                        "the machine under the node disappears",
                        FaultCaseBuilder.plan(faults(0, 0, 0, 0, 0, HUNDRED)),
                        faultTestBed -> {},
                        UNKNOWN,
                        1)
                .row(
                        "the node is not Ready for a long time after the change",
                        faultTestBed -> faultTestBed
                                .fleet
                                .scheduler()
                                .after(
                                        5 * FaultCaseBuilder.MINUTE + 5_000,
                                        () -> faultTestBed.node.node().setReady(false)),
                        "node-not-ready, retryable",
                        1);
    }

    private static FaultCaseBuilder targets() {
        return new FaultCaseBuilder("What proves the target")
                .row("no fault", faultTestBed -> {}, UPGRADED, 1)
                .row(
                        "the node is already at its target",
                        FaultCaseBuilder.upgradedCluster(),
                        faultTestBed -> {},
                        "unchanged",
                        0)
                .row(
                        "the channel has nothing newer",
                        faultTestBed -> {
                            faultTestBed.target = new UpgradeTarget.Channel("1.32-classic/stable");
                        },
                        "unchanged",
                        1)
                .row("a channel", faultTestBed -> faultTestBed.target = FaultTestBed.CHANNEL, UPGRADED, 1)
                .row(
                        "the channel has moved to another revision",
                        faultTestBed -> {
                            faultTestBed.target = FaultTestBed.CHANNEL;
                            faultTestBed.learned = "3099";
                        },
                        NOT_AT_TARGET,
                        1)
                .row("the node shows the stated version", faultTestBed -> faultTestBed.version = "1.33.0", UPGRADED, 1)
                .row(
                        "the node shows another version than the stated one",
                        faultTestBed -> faultTestBed.version = "1.33.9",
                        NOT_AT_TARGET,
                        1)
                .row("a file on the node", faultTestBed -> faultTestBed.target = FaultTestBed.PATH, UPGRADED, 1)
                .row(
                        "a file on the node, and the old revision still runs",
                        FaultCaseBuilder.plan(faults(HUNDRED, 0, 0, 0, 0, 0)),
                        faultTestBed -> faultTestBed.target = FaultTestBed.PATH,
                        NOT_AT_TARGET,
                        1)
                .row(
                        "a file under pebble, which reports the change as done too early",
                        faultTestBed -> {
                            faultTestBed.node.k8sd().runUnderPebble();
                            faultTestBed.target = FaultTestBed.PATH;
                        },
                        UPGRADED,
                        1)
                .row(
                        "a file under pebble that is not copied",
                        FaultCaseBuilder.plan(faults(HUNDRED, 0, 0, 0, 0, 0)),
                        faultTestBed -> {
                            faultTestBed.node.k8sd().runUnderPebble();
                            faultTestBed.target = FaultTestBed.PATH;
                        },
                        NOT_AT_TARGET,
                        1);
    }

    private static FaultCaseBuilder members() {
        return new FaultCaseBuilder("Members of a control plane")
                .row(
                        "the upgrade of the only member stops the cluster's API",
                        FaultCaseBuilder.LONE,
                        faultTestBed -> faultTestBed.node = faultTestBed.member(0),
                        UPGRADED,
                        1)
                .row(
                        "the upgrade of the only member stops the cluster's API forever",
                        FaultCaseBuilder.LONE,
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            losesNodeForever(faultTestBed);
                        },
                        UNKNOWN,
                        1)
                .row(
                        "the first of three, whose database waits for the others",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed.cluster().upgradeSchemaAt(3100);
                        },
                        "awaits-peers",
                        1)
                .row(
                        "the last of three, which opens all databases",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(2);
                            faultTestBed.cluster().upgradeSchemaAt(3100);
                            faultTestBed.member(0).node().startUnsolicitedRefresh(3100);
                            faultTestBed.member(1).node().startUnsolicitedRefresh(3100);
                            faultTestBed.headStart = Duration.ofMinutes(8);
                        },
                        UPGRADED,
                        1)
                .row(
                        "its datastore is not healthy",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed.cluster().workload().isDatastoreHealthy(false);
                        },
                        "deferred",
                        0)
                .row(
                        "the datastore of another member is dead, and its kubelet is healthy",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed
                                    .cluster()
                                    .workload()
                                    .store()
                                    .change(
                                            FaultCaseBuilder.API_ADDRESSES,
                                            tree -> ImmutableJson.with(
                                                    tree,
                                                    ImmutableJson.list(ImmutableJson.items(tree, "endpoints")
                                                            .subList(0, 2)),
                                                    "endpoints"));
                        },
                        "deferred",
                        0)
                .row(
                        "its owner says that etcd is not healthy",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed
                                    .cluster()
                                    .management()
                                    .store()
                                    .change(
                                            FaultCaseBuilder.CONTROL_PLANE,
                                            tree -> ImmutableJson.with(
                                                    tree,
                                                    ImmutableJson.list(ImmutableJson.object(
                                                            "type", "EtcdClusterHealthy",
                                                            "status", "False",
                                                            "reason", "EtcdClusterUnhealthy")),
                                                    "status",
                                                    "conditions"));
                        },
                        "deferred",
                        0)
                .row(
                        "another member is not Ready",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed.member(1).node().setReady(false);
                        },
                        "deferred",
                        0);
    }

    private static FaultCaseBuilder beforeTheCall() {
        return new FaultCaseBuilder("Before the call")
                .row("its token is missing in the Secret", faultTestBed -> tokens(faultTestBed, ""), UNREACHABLE, 0)
                .row(
                        "its certificate is not the pinned one",
                        faultTestBed -> pins(faultTestBed, "0".repeat(64) + " " + faultTestBed.node.uid()),
                        "credentials, terminal",
                        0)
                .row(
                        "the cluster's API server is unreachable",
                        faultTestBed -> faultTestBed.cluster().workload().reachability(ApiReachability.RESETS),
                        UNREACHABLE,
                        0)
                .row(
                        "the cluster's API server returns 503",
                        faultTestBed -> faultTestBed.cluster().workload().reachability(ApiReachability.UNAVAILABLE),
                        UNREACHABLE,
                        0)
                .row(
                        "the management cluster's API server is unreachable",
                        faultTestBed -> faultTestBed.cluster().management().reachability(ApiReachability.RESETS),
                        UNREACHABLE,
                        0)
                .row(
                        "its Machine was deleted",
                        faultTestBed -> faultTestBed
                                .cluster()
                                .management()
                                .store()
                                .remove(FaultCaseBuilder.machine(faultTestBed.node)),
                        "deferred",
                        0)
                .row("its Machine is on hold", FaultCaseBuilder.annotated("flotilla.dev/hold", "true"), "deferred", 0)
                .row(
                        "another controller upgrades its Machine",
                        FaultCaseBuilder.annotated("v1beta2.k8sd.io/in-place-upgrade-to", "revision=1"),
                        "deferred",
                        0)
                .row(
                        "another worker of its cluster is not Ready",
                        faultTestBed -> faultTestBed.worker(1).node().setReady(false),
                        "deferred",
                        0)
                .row("the command lease has ended", faultTestBed -> faultTestBed.allowed = Duration.ZERO, "expired", 0)
                .row("the command is cancelled", faultTestBed -> faultTestBed.isCancelled = true, "cancelled", 0);
    }

    /** The node becomes unreachable for good in the middle of its refresh. */
    private static void losesNodeForever(FaultTestBed faultTestBed) {
        faultTestBed
                .fleet
                .scheduler()
                .after(
                        4 * FaultCaseBuilder.MINUTE,
                        () -> faultTestBed
                                .node
                                .node()
                                .makeUnreachable(Duration.ofDays(1).toMillis()));
    }

    private static void tokens(FaultTestBed faultTestBed, String token) {
        String text = Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
        change(faultTestBed, BuiltInResources.SECRETS, "-token", "node-token-" + faultTestBed.node.name(), text);
    }

    private static void pins(FaultTestBed faultTestBed, String pin) {
        change(faultTestBed, BuiltInResources.CONFIG_MAPS, "-flotilla-pins", faultTestBed.node.name(), pin);
    }

    private static void change(
            FaultTestBed faultTestBed, ApiResource resource, String suffix, String key, String value) {
        EmbeddedNode node = faultTestBed.node;
        faultTestBed
                .cluster()
                .management()
                .store()
                .change(
                        resource.named(
                                FaultCaseBuilder.NAMESPACE, node.cluster().key().name() + suffix),
                        tree -> value.isEmpty()
                                ? ImmutableJson.without(tree, "data", key)
                                : ImmutableJson.with(tree, value, "data", key));
    }
}
