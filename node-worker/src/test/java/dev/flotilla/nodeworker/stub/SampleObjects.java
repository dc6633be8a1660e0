package dev.flotilla.nodeworker.stub;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Objects as API servers show them, cut to what matters. */
public final class SampleObjects {
    private SampleObjects() {}

    /** Reads an object that is written with single quotes. */
    public static KubeObject kube(String json) {
        return kube(json(json));
    }

    public static KubeObject kube(JsonObject json) {
        ParseResult parseResult = JsonReader.read(json.encode().getBytes(StandardCharsets.UTF_8), 1 << 20);
        return new KubeObject((JsonObjectReader) ((ParseResult.ParsedDocument) parseResult).value());
    }

    public static JsonObject json(String json) {
        return new JsonObject(json.replace('\'', '"'));
    }

    public static JsonObject machine(String uid, String node) {
        return json("""
                {'kind': 'Machine', 'metadata': {'uid': '%s', 'labels': {'cluster.x-k8s.io/deployment-name': 'pool'}},
                 'spec': {'clusterName': 'blue'}, 'status': {'nodeRef': {'name': '%s'}}}""".formatted(uid, node));
    }

    public static JsonObject memberMachine(String uid, String node) {
        return json("""
                {'kind': 'Machine', 'metadata': {'uid': '%s', 'labels': {'cluster.x-k8s.io/control-plane': ''},
                  'ownerReferences': [{'apiVersion': 'controlplane.cluster.x-k8s.io/v1beta2', 'kind': 'CK8sControlPlane',
                                       'name': 'blue', 'uid': 'u-blue', 'controller': true}]},
                 'spec': {'clusterName': 'blue'}, 'status': {'nodeRef': {'name': '%s'}}}""".formatted(uid, node));
    }

    public static JsonObject owner(int replicas) {
        return json("{'spec': {'replicas': %d}, 'status': {'replicas': %d}}".formatted(replicas, replicas));
    }

    public static JsonObject node(String revision, String version, Instant heartbeat, String address) {
        return json("""
                {'kind': 'Node', 'metadata': {'labels': {},
                   'annotations': {'k8sd.io/version': '{\\'revision\\':\\'%s\\',\\'kubernetesVersion\\':\\'%s\\'}'}},
                 'spec': {},
                 'status': {'nodeInfo': {'kubeletVersion': '%s', 'bootID': 'b-1'},
                   'addresses': [{'type': 'Hostname', 'address': 'n'}, {'type': 'InternalIP', 'address': '%s'}],
                   'conditions': [{'type': 'Ready', 'status': 'True', 'lastHeartbeatTime': '%s'}]}}""".formatted(revision, version.substring(1), version, address, heartbeat));
    }

    public static JsonObject member(JsonObject node) {
        node.getJsonObject("metadata").getJsonObject("labels").put("node-role.kubernetes.io/control-plane", "");
        return node;
    }

    public static JsonObject notReady(JsonObject node) {
        node.getJsonObject("status").getJsonArray("conditions").getJsonObject(0).put("status", "Unknown");
        return node;
    }

    public static JsonObject lease(Instant renewed) {
        return json("{'spec': {'renewTime': '%s'}}".formatted(renewed));
    }

    public static JsonObject pod(String node) {
        return new JsonObject()
                .put("kind", "Pod")
                .put("metadata", new JsonObject())
                .put("spec", new JsonObject().put("nodeName", node))
                .put("status", new JsonObject().put("phase", "Running"));
    }

    public static JsonObject controlledBy(JsonObject pod, String kind) {
        pod.getJsonObject("metadata")
                .put(
                        "ownerReferences",
                        new JsonArray().add(new JsonObject().put("kind", kind).put("controller", true)));
        return pod;
    }
}
