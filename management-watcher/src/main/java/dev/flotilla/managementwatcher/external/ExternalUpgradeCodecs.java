package dev.flotilla.managementwatcher.external;

import dev.flotilla.managementwatcher.external.ExternalUpgradeAnswer.UpgradeDecision;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.ClusterName;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.MachineSpec;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.NewSpec;
import dev.flotilla.managementwatcher.external.ExternalUpgradeRequest.ObjectRef;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;

/** The JSON codecs of ExternalUpgradeRequests and their answers; the OpenAPI document is made from them. */
final class ExternalUpgradeCodecs {
    static final String API_VERSION = "flotilla.dev/v1alpha1";

    private static final int MAX_NAME = 253;
    private static final int MAX_KIND = 63;
    private static final int MAX_MACHINES = 1_000;
    private static final int MAX_TTL = 31_536_000;
    private static final int MAX_MESSAGE = 4_096;

    private static final JsonCodec<String> NAME = ScalarCodecs.text(1, MAX_NAME);
    private static final JsonCodec<String> KIND = ScalarCodecs.text(1, MAX_KIND);
    private static final JsonCodec<List<String>> NAMES = new ListCodec<>(NAME, MAX_MACHINES);

    static final JsonCodec<ExternalUpgradeRequest> REQUEST = request();
    static final JsonCodec<ExternalUpgradeAnswer> ANSWER = answer();

    private ExternalUpgradeCodecs() {}

    private static JsonCodec<ObjectRef> objectRef(String title, String description) {
        var ref = JsonObjectCodec.<ObjectRef>of(title, description);
        var group = ref.required("apiGroup", NAME, "Its API group, without the version.", ObjectRef::apiGroup);
        var kind = ref.required("kind", KIND, "Its kind.", ObjectRef::kind);
        var name = ref.required("name", NAME, "Its name, in the namespace of the cluster.", ObjectRef::name);
        return ref.build(v -> new ObjectRef(v.get(group), v.get(kind), v.get(name)));
    }

    private static JsonCodec<ClusterName> cluster() {
        var cluster = JsonObjectCodec.<ClusterName>of("cluster-name", "A Cluster.");
        var namespace = cluster.required("namespace", NAME, "Its namespace.", ClusterName::namespace);
        var name = cluster.required("name", NAME, "Its name.", ClusterName::name);
        return cluster.build((v, at, problems) -> {
            ClusterName read = new ClusterName(v.get(namespace), v.get(name));
            for (String each : List.of(read.namespace(), read.name())) {
                String problem = NameValidator.problemOfSubdomain(each);
                if (problem != null) {
                    problems.addBadValue(at, "has '" + each + "', which " + problem, "write the names of the object");
                    return null;
                }
            }
            return read;
        });
    }

    private static JsonCodec<MachineSpec> machineSpec() {
        var spec = JsonObjectCodec.<MachineSpec>of(
                "machine-spec", "The objects that describe a machine, and the hash of what is applied of them.");
        var hash = spec.required(
                "hash", ScalarCodecs.TOKEN, "Hash of what is applied: sha256: and 64 digits.", MachineSpec::hash);
        var bootstrap = spec.optional(
                "bootstrapRef",
                objectRef("bootstrap-ref", "The object with the bootstrap configuration."),
                "The bootstrap object.",
                MachineSpec::bootstrapRef);
        var infrastructure = spec.optional(
                "infrastructureRef",
                objectRef("infrastructure-ref", "The object that describes the infrastructure."),
                "The infrastructure object.",
                MachineSpec::infrastructureRef);
        return spec.build(v -> new MachineSpec(v.get(hash), v.get(bootstrap), v.get(infrastructure)));
    }

    private static JsonCodec<NewSpec> newSpec() {
        var spec =
                JsonObjectCodec.<NewSpec>of("new-spec", "What the machines are to become: a version, a spec or both.");
        var version = spec.optional(
                "version", ScalarCodecs.TOKEN, "The Kubernetes version, such as v1.36.3.", NewSpec::version);
        var machineSpec = spec.optional(
                "machineSpec", machineSpec(), "The spec that the machines are to have.", NewSpec::machineSpec);
        return spec.build(v -> new NewSpec(v.get(version), v.get(machineSpec)));
    }

    private static JsonCodec<ExternalUpgradeRequest> request() {
        var request = JsonObjectCodec.<ExternalUpgradeRequest>of(
                "external-upgrade-request", "A request to upgrade machines of a cluster in place.");
        var version = request.required(
                "apiVersion", ScalarCodecs.exactly(API_VERSION), "Version of this format.", each -> API_VERSION);
        var kind = request.required(
                "kind",
                ScalarCodecs.exactly("ExternalUpgradeRequest"),
                "Kind of this object.",
                each -> "ExternalUpgradeRequest");
        var cluster =
                request.required("cluster", cluster(), "The Cluster of the machines.", ExternalUpgradeRequest::cluster);
        var owner = request.optional(
                "owner",
                objectRef("owner", "A control plane, or a MachineDeployment."),
                "The owner of the machines. Without it, machines selects them.",
                ExternalUpgradeRequest::owner);
        var machines = request.defaulted(
                "machines",
                NAMES,
                List.of(),
                "Names of Machines. Without it, all of the owner's that differ from the new spec.",
                ExternalUpgradeRequest::machines);
        var newSpec = request.required(
                "newSpec", newSpec(), "What the machines are to become.", ExternalUpgradeRequest::newSpec);
        var ttl = request.optional(
                "ttlSecondsAfterFinished",
                ScalarCodecs.integer(0, MAX_TTL),
                "How long after its end the UpgradeTask is deleted. Without it, never.",
                ExternalUpgradeRequest::ttlSecondsAfterFinished);
        var dryRun = request.defaulted(
                "dryRun",
                ScalarCodecs.FLAG,
                false,
                "Whether only the answer is wanted: nothing is aborted or created.",
                ExternalUpgradeRequest::dryRun);
        return request.build(v -> {
            v.get(version);
            v.get(kind);
            return new ExternalUpgradeRequest(
                    v.get(cluster), v.get(owner), v.get(machines), v.get(newSpec), v.get(ttl), v.get(dryRun));
        });
    }

    private static JsonCodec<ExternalUpgradeAnswer> answer() {
        var answer = JsonObjectCodec.<ExternalUpgradeAnswer>of(
                "external-upgrade-answer", "Whether the request is accepted, and why not.");
        var decision = answer.required(
                "decision",
                EnumCodec.of(List.of(UpgradeDecision.values()), UpgradeDecision::label),
                "Whether there is an UpgradeTask for the request.",
                ExternalUpgradeAnswer::decision);
        var task = answer.optional(
                "task", NAME, "Name of the UpgradeTask, in the namespace of the cluster.", ExternalUpgradeAnswer::task);
        var aborted = answer.defaulted(
                "aborted",
                NAMES,
                List.of(),
                "Names of the owner's earlier UpgradeTasks that the request has aborted.",
                ExternalUpgradeAnswer::aborted);
        var reason = answer.required(
                "reason", ScalarCodecs.TOKEN, "The reason, as a word for programs.", ExternalUpgradeAnswer::reason);
        var message = answer.required(
                "message", ScalarCodecs.text(0, MAX_MESSAGE), "The reason for people.", ExternalUpgradeAnswer::message);
        var dryRun = answer.defaulted(
                "dryRun", ScalarCodecs.FLAG, false, "Whether nothing was written.", ExternalUpgradeAnswer::dryRun);
        return answer.build(v -> new ExternalUpgradeAnswer(
                v.get(decision), v.get(task), v.get(aborted), v.get(reason), v.get(message), v.get(dryRun)));
    }
}
