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
    private static final String REFUSED_FOR_GOOD = "refresh-rejected, terminal";
    private static final String UNREACHABLE = "unreachable, retryable";
    private static final String ERROR = "refresh-error, retryable";
    private static final String MISSED = "not-at-target, retryable";
    private static final int HUNDRED = 100;
    private static final int HUGE = 100_000;

    private FaultCaseTable() {}

    static List<FaultCase> rows() {
        return Stream.of(refusals(), waits(), doubts(), changes(), nodes(), targets(), members(), before())
                .flatMap(faultCaseBuilder -> faultCaseBuilder.all.stream())
                .toList();
    }

    private static NodeFaultProfile temper(int lies, int hangs, int reboots, int forgets, int unready, int dies) {
        return new NodeFaultProfile(
                5 * FaultCaseBuilder.MINUTE, 0, false, 0, lies, hangs, reboots, forgets, 0, unready, dies);
    }

    private static FaultCaseBuilder refusals() {
        return new FaultCaseBuilder("The node refuses the call")
                .row(
                        "the token in the Secret is not the node's",
                        faultTestBed -> tokens(faultTestBed, "another"),
                        "credentials, terminal",
                        0)
                .call(
                        "it cannot read its own token",
                        500,
                        FaultCaseBuilder.envelope(500, "failed to read node access token: permission denied"),
                        "credentials, retryable")
                .call(
                        "it does not know the body",
                        400,
                        FaultCaseBuilder.envelope(400, "failed to parse request: json: unknown field"),
                        REFUSED_FOR_GOOD)
                .call(
                        "it finds no target in the body",
                        400,
                        FaultCaseBuilder.envelope(400, "invalid refresh options: empty snap refresh target"),
                        REFUSED_FOR_GOOD)
                .call("it has no such path", 404, FaultCaseBuilder.envelope(404, "not found"), REFUSED_FOR_GOOD)
                .call(
                        "it does not implement it",
                        501,
                        FaultCaseBuilder.envelope(501, "not implemented"),
                        REFUSED_FOR_GOOD)
                .call("snap does not take the arguments", 500, snap("exit status 64"), REFUSED_FOR_GOOD)
                .call("snapd refuses", 500, snap("exit status 1"), "refresh-rejected, retryable")
                .call(
                        "the snap is confined strictly",
                        500,
                        snap("refresh operation not available on strictly confined deployments"),
                        REFUSED_FOR_GOOD)
                .row(
                        "it runs under pebble, and gets a revision",
                        faultTestBed -> faultTestBed.node.k8sd().runUnderPebble(),
                        REFUSED_FOR_GOOD,
                        0);
    }

    private static String snap(String text) {
        return FaultCaseBuilder.envelope(500, "failed to refresh snap: failed to refresh snap: " + text);
    }

    private static FaultCaseBuilder waits() {
        FaultCaseBuilder faultCaseBuilder = new FaultCaseBuilder("The node does not take the call yet");
        faultCaseBuilder
                .call("another change is at work for long", 500, snap("exit status 10"), "node-busy, retryable")
                .call(
                        "another change is at work for a while",
                        FaultCaseBuilder.error(500, "failed to refresh snap: exit status 10"),
                        false,
                        3,
                        UPGRADED)
                .row(
                        "the node refreshes itself to the target meanwhile",
                        faultTestBed -> faultTestBed.node.node().startUnsolicitedRefresh(3100),
                        "unchanged",
                        0)
                .row(
                        "the node refreshes itself to something else meanwhile",
                        faultTestBed -> faultTestBed.node.node().startUnsolicitedRefresh(3050),
                        UPGRADED,
                        1);
        for (String text : List.of(
                "Daemon is shutting down",
                "Database is still starting",
                "Database is offline",
                "Database is not yet initialized",
                "Database is waiting for an upgrade: 2 cluster members have not yet received the update")) {
            faultCaseBuilder.call("503 for long: " + text, 503, FaultCaseBuilder.envelope(503, text), UNREACHABLE);
        }
        return faultCaseBuilder
                .call("503 for a moment", FaultCaseBuilder.error(503, "Database is still starting"), false, 2, UPGRADED)
                .call(
                        "it is behind its peers",
                        500,
                        FaultCaseBuilder.envelope(500, "This node's version is behind, please upgrade"),
                        UNREACHABLE);
    }

    private static FaultCaseBuilder doubts() {
        String taken = FaultCaseBuilder.success("{\"changeId\":\"100\"}");
        return new FaultCaseBuilder("Nobody knows whether the node took the call")
                .call(
                        "the connection is cut after it was taken",
                        new SimK8sdResponse.ConnectionClosed(),
                        true,
                        1,
                        UPGRADED)
                .call(
                        "the connection is cut before it was taken",
                        new SimK8sdResponse.ConnectionClosed(),
                        false,
                        1,
                        UNKNOWN)
                .call(
                        "the answer ends in its middle, and it was taken",
                        new SimK8sdResponse.TruncatedResponse(200, taken),
                        true,
                        1,
                        UPGRADED)
                .call(
                        "the answer ends in its middle, and it was not taken",
                        new SimK8sdResponse.TruncatedResponse(200, taken),
                        false,
                        1,
                        UNKNOWN)
                .call("half an object", 200, taken.substring(0, 60), UNKNOWN)
                .call("an empty answer", 200, "", UNKNOWN)
                .call("a web page", 200, "<html>it works</html>", UNKNOWN)
                .call("JSON that is not k8sd's", 200, "{\"changeId\":\"100\"}", UNKNOWN)
                .call("a name twice", 200, taken.replace("\"operation\"", "\"type\""), UNKNOWN)
                .call("no change id", 200, FaultCaseBuilder.success("{}"), UNKNOWN)
                .call("a change id that is a number", 200, FaultCaseBuilder.success("{\"changeId\":100}"), UNKNOWN)
                .call("a change id that is a path", 200, FaultCaseBuilder.success("{\"changeId\":\"../1\"}"), UNKNOWN)
                .call(
                        "an answer without end",
                        200,
                        FaultCaseBuilder.success("{\"changeId\":\"" + "1".repeat(HUGE) + "\"}"),
                        UNKNOWN)
                .call("a redirect", 302, FaultCaseBuilder.success("{}"), UNKNOWN)
                .call("a gateway's timeout", 504, FaultCaseBuilder.envelope(504, "timeout"), UNKNOWN)
                .call("a failure that nobody has seen", 500, FaultCaseBuilder.envelope(500, "signal: killed"), UNKNOWN);
    }

    private static FaultCaseBuilder changes() {
        return new FaultCaseBuilder("The change does not do what it should")
                .ends(
                        "it ends in an error",
                        "Error",
                        "ERROR: upgrade blocked: k8s-dqlite is no longer supported in version 1.36 and later.",
                        ERROR)
                .ends("it ends in an error that says nothing", "Error", "", ERROR)
                .ends("it is undone", "Undone", "", ERROR)
                .ends("it is on hold", "Hold", "", ERROR)
                .ends("it waits for a restart of the node", "Wait", "", UNKNOWN)
                .ends("it is being undone for ever", "Undoing", "", UNKNOWN)
                .row(
                        "it hangs until somebody kicks it",
                        FaultCaseBuilder.plan(temper(0, HUNDRED, 0, 0, 0, 0)),
                        faultTestBed -> {},
                        UNKNOWN,
                        1)
                .row(
                        "it is forgotten, and was done",
                        FaultCaseBuilder.plan(temper(0, 0, 0, HUNDRED, 0, 0)),
                        faultTestBed -> {},
                        UPGRADED,
                        1)
                .row(
                        "it is forgotten, and was not done",
                        FaultCaseBuilder.plan(temper(HUNDRED, 0, 0, HUNDRED, 0, 0)),
                        faultTestBed -> {},
                        "change-lost, retryable",
                        1)
                .row(
                        "it is done, and the old revision still runs",
                        FaultCaseBuilder.plan(temper(HUNDRED, 0, 0, 0, 0, 0)),
                        faultTestBed -> {},
                        MISSED,
                        1)
                .poll(
                        "it ends in a way that nobody has seen",
                        new SimK8sdResponse.FullResponse(
                                200,
                                FaultCaseBuilder.success(
                                        "{\"status\":\"Finished\",\"completed\":true,\"errorMessage\":\"\"}")),
                        1,
                        ERROR)
                .poll(
                        "it is completed, and still being done",
                        new SimK8sdResponse.FullResponse(
                                200,
                                FaultCaseBuilder.success(
                                        "{\"status\":\"Doing\",\"completed\":true,\"errorMessage\":\"\"}")),
                        1,
                        ERROR)
                .poll("questions are cut for a while", new SimK8sdResponse.ConnectionClosed(), 10, UPGRADED)
                .poll("questions are refused for a while", FaultCaseBuilder.error(401, "invalid token"), 5, UPGRADED)
                .poll(
                        "the database is closed for a while",
                        FaultCaseBuilder.error(503, "Database is still starting"),
                        10,
                        UPGRADED)
                .poll(
                        "questions are answered with nonsense for ever",
                        new SimK8sdResponse.FullResponse(200, "<html>it works</html>"),
                        ScriptedK8sdFault.ALWAYS,
                        UPGRADED);
    }

    private static FaultCaseBuilder nodes() {
        return new FaultCaseBuilder("The node goes away")
                .row(
                        "it restarts in the middle",
                        FaultCaseBuilder.plan(temper(0, 0, HUNDRED, 0, 0, 0)),
                        faultTestBed -> {},
                        UPGRADED,
                        1)
                .row("it never comes back", FaultCaseTable::goesForGood, UNKNOWN, 1)
                .row(
                        "the machine under it vanishes",
                        FaultCaseBuilder.plan(temper(0, 0, 0, 0, 0, HUNDRED)),
                        faultTestBed -> {},
                        UNKNOWN,
                        1)
                .row(
                        "it is not Ready for long after",
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
                .row("nothing was wrong", faultTestBed -> {}, UPGRADED, 1)
                .row("it is there already", FaultCaseBuilder.there(), faultTestBed -> {}, "unchanged", 0)
                .row(
                        "the channel has nothing newer",
                        faultTestBed -> {
                            faultTestBed.target = new UpgradeTarget.Channel("1.32-classic/stable");
                        },
                        "unchanged",
                        1)
                .row("a channel", faultTestBed -> faultTestBed.target = FaultTestBed.CHANNEL, UPGRADED, 1)
                .row(
                        "the channel has come to mean another revision",
                        faultTestBed -> {
                            faultTestBed.target = FaultTestBed.CHANNEL;
                            faultTestBed.learned = "3099";
                        },
                        MISSED,
                        1)
                .row("the stated version shows", faultTestBed -> faultTestBed.version = "1.33.0", UPGRADED, 1)
                .row(
                        "another version than the stated one shows",
                        faultTestBed -> faultTestBed.version = "1.33.9",
                        MISSED,
                        1)
                .row("a file on the node", faultTestBed -> faultTestBed.target = FaultTestBed.PATH, UPGRADED, 1)
                .row(
                        "a file on the node, and the old revision still runs",
                        FaultCaseBuilder.plan(temper(HUNDRED, 0, 0, 0, 0, 0)),
                        faultTestBed -> faultTestBed.target = FaultTestBed.PATH,
                        MISSED,
                        1)
                .row(
                        "a file under pebble, which says that it is done before it is",
                        faultTestBed -> {
                            faultTestBed.node.k8sd().runUnderPebble();
                            faultTestBed.target = FaultTestBed.PATH;
                        },
                        UPGRADED,
                        1)
                .row(
                        "a file under pebble that is not copied",
                        FaultCaseBuilder.plan(temper(HUNDRED, 0, 0, 0, 0, 0)),
                        faultTestBed -> {
                            faultTestBed.node.k8sd().runUnderPebble();
                            faultTestBed.target = FaultTestBed.PATH;
                        },
                        MISSED,
                        1);
    }

    private static FaultCaseBuilder members() {
        return new FaultCaseBuilder("Members of a control plane")
                .row(
                        "the cluster's only member takes its API away",
                        FaultCaseBuilder.LONE,
                        faultTestBed -> faultTestBed.node = faultTestBed.member(0),
                        UPGRADED,
                        1)
                .row(
                        "the only member takes the API away for ever",
                        FaultCaseBuilder.LONE,
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            goesForGood(faultTestBed);
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
                        "its datastore is not well",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed.cluster().workload().isDatastoreHealthy(false);
                        },
                        "not now",
                        0)
                .row(
                        "the datastore of another member is dead, and its kubelet is well",
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
                        "not now",
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
                        "not now",
                        0)
                .row(
                        "another member is not well",
                        faultTestBed -> {
                            faultTestBed.node = faultTestBed.member(0);
                            faultTestBed.member(1).node().setReady(false);
                        },
                        "not now",
                        0);
    }

    private static FaultCaseBuilder before() {
        return new FaultCaseBuilder("Before the call")
                .row("its token is missing in the Secret", faultTestBed -> tokens(faultTestBed, ""), UNREACHABLE, 0)
                .row(
                        "its certificate is not the pinned one",
                        faultTestBed -> pins(faultTestBed, "0".repeat(64) + " " + faultTestBed.node.uid()),
                        "credentials, terminal",
                        0)
                .row(
                        "the cluster's API is away",
                        faultTestBed -> faultTestBed.cluster().workload().reachability(ApiReachability.RESETS),
                        UNREACHABLE,
                        0)
                .row(
                        "the cluster's API says 503",
                        faultTestBed -> faultTestBed.cluster().workload().reachability(ApiReachability.UNAVAILABLE),
                        UNREACHABLE,
                        0)
                .row(
                        "the management cluster's API is away",
                        faultTestBed -> faultTestBed.cluster().management().reachability(ApiReachability.RESETS),
                        UNREACHABLE,
                        0)
                .row(
                        "its Machine is gone",
                        faultTestBed -> faultTestBed
                                .cluster()
                                .management()
                                .store()
                                .remove(FaultCaseBuilder.machine(faultTestBed.node)),
                        "not now",
                        0)
                .row("its Machine is held", FaultCaseBuilder.annotated("flotilla.dev/hold", "true"), "not now", 0)
                .row(
                        "its Machine is another controller's",
                        FaultCaseBuilder.annotated("v1beta2.k8sd.io/in-place-upgrade-to", "revision=1"),
                        "not now",
                        0)
                .row(
                        "another worker of its cluster is away",
                        faultTestBed -> faultTestBed.worker(1).node().setReady(false),
                        "not now",
                        0)
                .row("the command is too old", faultTestBed -> faultTestBed.allowed = Duration.ZERO, "expired", 0)
                .row("the command is taken back", faultTestBed -> faultTestBed.isCancelled = true, "cancelled", 0);
    }

    /** In the middle of its refresh. */
    private static void goesForGood(FaultTestBed faultTestBed) {
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
