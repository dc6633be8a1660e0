package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.List;

/** JSON codecs for a site's intents and for the status rows that the leader writes for its watcher. */
public final class StatusRowCodecs {
    private static final JsonCodec<UpgradeTaskRef> TASK = task();
    public static final JsonCodec<UpgradeIntent> INTENT = intent();
    public static final JsonCodec<SiteStatus> SITE = site();
    public static final JsonCodec<MachineStatus> MACHINE = machine();
    public static final JsonCodec<IntentStatus> INTENT_STATUS = intentStatus();

    private StatusRowCodecs() {}

    private static JsonCodec<UpgradeIntent> intent() {
        var row = JsonObjectCodec.<UpgradeIntent>of(
                "intent", "An upgrade that an annotation on an object requests, or an UpgradeTask for a machine.");
        var site = row.required(
                "site",
                IdCodecs.SITE,
                SharedValueCodecs.SITE_TEXT,
                i -> i.object().site());
        var object = row.required(
                "object", IdCodecs.OBJECT, "The object that is upgraded.", i -> RecordKeyFormat.print(i.object()));
        var uid = row.required("uid", ScalarCodecs.TOKEN, "The object's uid.", UpgradeIntent::uid);
        var target = row.required("target", SharedValueCodecs.OPTION, "The requested target.", UpgradeIntent::target);
        var requestedAt = row.required(
                "requestedAt",
                ScalarCodecs.INSTANT,
                "When the watcher saw the request change.",
                UpgradeIntent::requestedAt);
        var task = row.optional(
                "task", TASK, "The UpgradeTask that requests it, if no annotation does.", UpgradeIntent::task);
        var upgrader = row.optional(
                "upgrader",
                UpgradeProviderCodecs.UPGRADER,
                "The template that the task names for its NodeUpgrades. Default: that of the machine's provider.",
                UpgradeIntent::upgrader);
        var expectedVersion = row.optional(
                "expectedVersion",
                KubernetesVersionCodec.VERSION,
                "The Kubernetes version that the task expects at its target, if the target does not name one.",
                UpgradeIntent::expectedVersion);
        return row.build(v -> new UpgradeIntent(
                IdCodecs.object(v.get(site), v.get(object)),
                v.get(uid),
                v.get(target),
                v.get(requestedAt),
                v.get(task),
                v.get(upgrader),
                v.get(expectedVersion)));
    }

    private static JsonCodec<UpgradeTaskRef> task() {
        var ref = JsonObjectCodec.<UpgradeTaskRef>of("upgrade-task-ref", "Names an UpgradeTask.");
        var namespace = ref.optional(
                "namespace", IdCodecs.LABEL, "Its namespace. Default: that of the object.", UpgradeTaskRef::namespace);
        var name = ref.required("name", IdCodecs.NAME, "Its name.", UpgradeTaskRef::name);
        var uid = ref.required("uid", ScalarCodecs.TOKEN, "Its uid.", UpgradeTaskRef::uid);
        return ref.build(v -> new UpgradeTaskRef(v.get(namespace), v.get(name), v.get(uid)));
    }

    private static JsonCodec<SiteStatus> site() {
        var row = JsonObjectCodec.<SiteStatus>of("site-status", "The leader's instructions for a site's watcher.");
        var site = row.required("site", IdCodecs.SITE, SharedValueCodecs.SITE_TEXT, SiteStatus::site);
        var acceptedRemovalOrder = row.optional(
                "acceptedRemovalOrder",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the order that accepted a mass removal: the watcher may now write the tombstones.",
                SiteStatus::acceptedRemoval);
        var writtenOffBeforeAttempt = row.defaulted(
                "writtenOffBeforeAttempt",
                ScalarCodecs.SEQ,
                0L,
                "Open attempts with a lower id are written off; zero for none. Only earlier versions write it: see site-head.",
                SiteStatus::writtenOffBeforeAttempt);
        var writeOff = row.optional(
                "writeOffOrder",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the order that wrote them off. Only earlier versions write it: see site-head.",
                SiteStatus::writeOffOrder);
        var paths = row.omittedIfDefault(
                "localPaths",
                UpgradePolicyCodec.DIRECTORIES,
                List.of(),
                "Directories below which localPath= of an annotation in this site may point, from the policies.",
                status -> status.rules().localPaths());
        var targets = row.omittedIfDefault(
                "targets",
                UpgradePolicyCodec.PATTERNS,
                List.of(),
                "Targets that annotations in this site may have, from the policies. Default: any target.",
                status -> status.rules().targetPatterns());
        var providers = row.omittedIfDefault(
                "providers",
                UpgradeProviderCodecs.RULES,
                List.of(),
                "The rules of the policies about what upgrades this site's machines.",
                status -> status.rules().providerRules());
        var blockedReason = row.optional(
                "blockedReason",
                ScalarCodecs.text(0, SiteStatus.MAX_BLOCKED_REASON),
                "Why all annotations of this site wait: the label of the closed gate, and its message.",
                SiteStatus::blockedReason);
        return row.build(v -> new SiteStatus(
                v.get(site),
                v.get(acceptedRemovalOrder),
                v.get(writtenOffBeforeAttempt),
                v.get(writeOff),
                new SiteAnnotationRules(v.get(paths), v.get(targets), v.get(providers)),
                v.get(blockedReason)));
    }

    private static JsonCodec<MachineStatus> machine() {
        var row = JsonObjectCodec.<MachineStatus>of(
                "machine-status",
                "The status of a machine: its open attempt, its last failure and its rollout entries.");
        var key = MachineKeyFields.declare(row, MachineStatus::key);
        var uid = row.required(
                "uid",
                ScalarCodecs.TOKEN,
                "The uid of the Machine object; an object with the same name and another uid is another machine.",
                MachineStatus::uid);
        var attempt = row.optional(
                "attempt", AttemptCodecs.ATTEMPT, "The open attempt, if there is one.", MachineStatus::attempt);
        var failure =
                row.optional("lastFailure", AttemptCodecs.FAILURE, "Its last failure.", MachineStatus::lastFailure);
        var entries = row.<List<RolloutEntry>>defaulted(
                "entries",
                new ListCodec<>(AttemptCodecs.ENTRY, RolloutEntry.MAX_PER_MACHINE),
                List.of(),
                "One entry for each open campaign or intent that has started on it.",
                MachineStatus::entries);
        var preparation = row.optional(
                "preparation",
                MachinePreparationCodec.PREPARATION,
                "Its newest preparation, if there is one.",
                MachineStatus::preparation);
        return row.build(v -> new MachineStatus(
                key.read(v), v.get(uid), v.get(attempt), v.get(failure), v.get(entries), v.get(preparation)));
    }

    private static JsonCodec<IntentStatus> intentStatus() {
        var row =
                JsonObjectCodec.<IntentStatus>of("intent-status", "The progress of an owner's or a cluster's intent.");
        var site = row.required(
                "site",
                IdCodecs.SITE,
                SharedValueCodecs.SITE_TEXT,
                o -> o.object().site());
        var object = row.required(
                "object", IdCodecs.OBJECT, "The annotated object.", o -> RecordKeyFormat.print(o.object()));
        var uid = row.required("uid", ScalarCodecs.TOKEN, "The object's uid.", IntentStatus::uid);
        var requestedAt = row.required(
                "requestedAt",
                ScalarCodecs.INSTANT,
                "When the intent's annotation changed; with the object it identifies the intent.",
                IntentStatus::requestedAt);
        var target =
                row.required("target", SharedValueCodecs.OPTION, "The target of its machines.", IntentStatus::target);
        var state = row.required(
                "state",
                EnumCodec.of(IntentStatus.IntentState.class, IntentStatus.IntentState::label),
                "The value of the status annotation.",
                IntentStatus::state);
        var currentMachine = row.optional(
                "currentMachine",
                IdCodecs.MACHINE,
                "A machine that is being upgraded for it now, as <site>/<namespace>/<name>.",
                IntentStatus::currentMachine);
        var machines =
                row.required("machines", ScalarCodecs.COUNT, "How many machines it has.", IntentStatus::machines);
        var succeeded = row.required(
                "succeeded", ScalarCodecs.COUNT, "How many of them are at the target.", IntentStatus::succeeded);
        var failed =
                row.required("failed", ScalarCodecs.COUNT, "How many of them are quarantined.", IntentStatus::failed);
        var lastFailure = row.optional(
                "lastFailure",
                machineFailure(),
                "The last failure of a machine that is not at the target yet.",
                IntentStatus::lastFailure);
        return row.build(v -> new IntentStatus(
                IdCodecs.object(v.get(site), v.get(object)),
                v.get(uid),
                v.get(requestedAt),
                v.get(target),
                v.get(state),
                v.get(currentMachine),
                v.get(machines),
                v.get(succeeded),
                v.get(failed),
                v.get(lastFailure)));
    }

    private static JsonCodec<IntentStatus.MachineFailure> machineFailure() {
        var part = JsonObjectCodec.<IntentStatus.MachineFailure>of("machine-failure", "A machine and its failure.");
        var machine = part.required(
                "machine",
                IdCodecs.MACHINE,
                "The machine, as <site>/<namespace>/<name>.",
                IntentStatus.MachineFailure::machine);
        var failure =
                part.required("failure", AttemptCodecs.FAILURE, "The failure.", IntentStatus.MachineFailure::failure);
        return part.build(v -> new IntentStatus.MachineFailure(v.get(machine), v.get(failure)));
    }
}
