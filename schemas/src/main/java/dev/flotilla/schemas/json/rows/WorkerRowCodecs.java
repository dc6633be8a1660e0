package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WorkerCommand;

/** What a site's workers are told, and what they tell. */
public final class WorkerRowCodecs {
    public static final JsonCodec<WorkerCommand> COMMAND = command();
    public static final JsonCodec<AttemptProgress> PROGRESS = progress();

    private WorkerRowCodecs() {}

    private static JsonCodec<WorkerCommand> command() {
        return new UnionCodec<WorkerCommand>(
                        "command", "What a site's worker is to do about a machine.", "do", "What to do.")
                .with("upgrade", WorkerCommand.UpgradeMachine.class, upgrade())
                .with("cancel", WorkerCommand.CancelUpgrade.class, cancel());
    }

    private static JsonObjectCodec<WorkerCommand.UpgradeMachine> upgrade() {
        var row = JsonObjectCodec.<WorkerCommand.UpgradeMachine>of(
                "upgrade", "Upgrade the machine. The same attempt with a later notAfter renews it.");
        var site = row.required(
                "site", IdCodecs.SITE, SharedValueCodecs.SITE_TEXT, c -> c.key().site());
        var namespace = row.required(
                "namespace",
                IdCodecs.LABEL,
                "The Machine object's namespace.",
                c -> c.key().namespace());
        var name = row.required(
                "name",
                IdCodecs.NAME,
                "The Machine object's name.",
                c -> c.key().name());
        var uid = row.required("uid", ScalarCodecs.TOKEN, "Which machine it is.", WorkerCommand.UpgradeMachine::uid);
        var attempt = row.required(
                "attempt", ScalarCodecs.SEQ, "The attempt's number.", WorkerCommand.UpgradeMachine::attemptId);
        var role = row.required(
                "role",
                InventoryRowCodecs.ROLE,
                "What the machine is to its cluster.",
                WorkerCommand.UpgradeMachine::role);
        var target = row.required(
                "target",
                SharedValueCodecs.OPTION,
                "Where the machine is to go.",
                WorkerCommand.UpgradeMachine::target);
        var version = row.optional(
                "expectedVersion",
                ScalarCodecs.TOKEN,
                "The Kubernetes version that the node must show as well.",
                WorkerCommand.UpgradeMachine::expectedVersion);
        var learned = row.optional(
                "learnedRevision",
                ScalarCodecs.TOKEN,
                "The revision that the channel has proved to mean on this architecture, if known.",
                WorkerCommand.UpgradeMachine::resolvedRevision);
        var unavailable = row.required(
                "maxUnavailable",
                ScalarCodecs.COUNT,
                "Workers of the cluster that may be unavailable, this one among them, when the call is made.",
                WorkerCommand.UpgradeMachine::maxUnavailable);
        var notAfter = row.required(
                "notAfter",
                ScalarCodecs.INSTANT,
                "No call begins later than this.",
                WorkerCommand.UpgradeMachine::leaseExpiresAt);
        var checks = row.omittedIfDefault(
                "checks",
                HealthCheckCodec.CHECKS,
                CampaignChecks.NONE,
                "What must hold around the call.",
                WorkerCommand.UpgradeMachine::checks);
        var machineClass = row.optional(
                "machineClass",
                ScalarCodecs.text(1, LabelsCodec.MAX_VALUE),
                "The machines of its role that take as long: the value of the policy's label.",
                WorkerCommand.UpgradeMachine::machineClass);
        var drain = row.optional(
                "drain",
                SharedValueCodecs.DRAIN,
                "Whether its node is emptied before the call: never, auto (where another node can take the pods) or"
                        + " always. Without it as the site's worker is set.",
                WorkerCommand.UpgradeMachine::drainMode);
        var mode = row.optional(
                "mode",
                EnumCodec.of(SiteMode.class, SiteMode::label),
                "Who acts on the provider's annotations in the site, and so whether the provider's key on its Machine is"
                        + " foreign. Without it as with intercept.",
                WorkerCommand.UpgradeMachine::mode);
        var downgrade = row.omittedIfDefault(
                "allowDowngrade",
                ScalarCodecs.FLAG,
                true,
                "Whether the call may be made on a node that shows a newer version than the target's.",
                WorkerCommand.UpgradeMachine::allowDowngrade);
        return row.build(v -> new WorkerCommand.UpgradeMachine(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)),
                v.get(uid),
                v.get(attempt),
                v.get(role),
                v.get(target),
                v.get(version),
                v.get(learned),
                v.get(unavailable),
                v.get(notAfter),
                v.get(checks),
                v.get(machineClass),
                v.get(drain),
                v.get(mode),
                v.get(downgrade)));
    }

    private static JsonObjectCodec<WorkerCommand.CancelUpgrade> cancel() {
        var row = JsonObjectCodec.<WorkerCommand.CancelUpgrade>of(
                "cancel", "Do not call for this attempt; where the call was made already, watch it to its end.");
        var site = row.required(
                "site", IdCodecs.SITE, SharedValueCodecs.SITE_TEXT, c -> c.key().site());
        var namespace = row.required(
                "namespace",
                IdCodecs.LABEL,
                "The Machine object's namespace.",
                c -> c.key().namespace());
        var name = row.required(
                "name",
                IdCodecs.NAME,
                "The Machine object's name.",
                c -> c.key().name());
        var uid = row.required("uid", ScalarCodecs.TOKEN, "Which machine it is.", WorkerCommand.CancelUpgrade::uid);
        var attempt = row.required(
                "attempt", ScalarCodecs.SEQ, "The attempt's number.", WorkerCommand.CancelUpgrade::attemptId);
        var why = row.required(
                "why", ScalarCodecs.text(0, 1024), "Why it is no longer wanted.", WorkerCommand.CancelUpgrade::reason);
        return row.build(v -> new WorkerCommand.CancelUpgrade(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)), v.get(uid), v.get(attempt), v.get(why)));
    }

    private static JsonCodec<AttemptProgress> progress() {
        var row = JsonObjectCodec.<AttemptProgress>of("progress", "A worker's newest word about a machine.");
        var site = row.required(
                "site", IdCodecs.SITE, SharedValueCodecs.SITE_TEXT, p -> p.key().site());
        var namespace = row.required(
                "namespace",
                IdCodecs.LABEL,
                "The Machine object's namespace.",
                p -> p.key().namespace());
        var name = row.required(
                "name",
                IdCodecs.NAME,
                "The Machine object's name.",
                p -> p.key().name());
        var uid = row.required("uid", ScalarCodecs.TOKEN, "Which machine it is.", AttemptProgress::uid);
        var attempt = row.required("attempt", ScalarCodecs.SEQ, "The attempt's number.", AttemptProgress::attemptId);
        var report = row.required(
                "report", AttemptReportCodec.REPORT, "What the worker says of it.", AttemptProgress::report);
        var time = row.required(
                "time", ScalarCodecs.INSTANT, "When it said so, by its own clock.", AttemptProgress::reportedAt);
        return row.build(v -> new AttemptProgress(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)),
                v.get(uid),
                v.get(attempt),
                v.get(report),
                v.get(time)));
    }
}
