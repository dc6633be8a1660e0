package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;

/** JSON codecs for the commands to a site's workers and for the progress that they report. */
final class WorkerRowCodecs {
    public static final JsonCodec<WorkerCommand> COMMAND = command();
    public static final JsonCodec<AttemptProgress> PROGRESS = progress();

    private WorkerRowCodecs() {}

    private static JsonCodec<WorkerCommand> command() {
        return new UnionCodec<WorkerCommand>(
                        "command", "A command to a site's worker about one machine.", "The kind of command.")
                .with("upgrade", WorkerCommand.UpgradeMachine.class, upgrade())
                .with("prepare", WorkerCommand.PrepareMachine.class, prepare())
                .with("cancel", WorkerCommand.CancelUpgrade.class, cancel());
    }

    private static JsonObjectCodec<WorkerCommand.UpgradeMachine> upgrade() {
        var row = JsonObjectCodec.<WorkerCommand.UpgradeMachine>of(
                "upgrade",
                "Upgrade the machine. A later leaseExpiresAt for the same attempt renews the command lease.");
        var key = MachineKeyFields.declare(row, WorkerCommand.UpgradeMachine::key);
        var uid = row.required(
                "uid", ScalarCodecs.TOKEN, "The uid of the Machine object.", WorkerCommand.UpgradeMachine::uid);
        var attemptId = row.required(
                "attemptId", ScalarCodecs.SEQ, "The attempt's id.", WorkerCommand.UpgradeMachine::attemptId);
        var role = row.required(
                "role",
                InventoryRowCodecs.ROLE,
                "The machine's role in its cluster.",
                WorkerCommand.UpgradeMachine::role);
        var target =
                row.required("target", SharedValueCodecs.OPTION, "The target.", WorkerCommand.UpgradeMachine::target);
        var version = row.optional(
                "expectedVersion",
                ScalarCodecs.TOKEN,
                "The Kubernetes version that the node must show after the upgrade.",
                WorkerCommand.UpgradeMachine::expectedVersion);
        var resolvedRevision = row.optional(
                "resolvedRevision",
                ScalarCodecs.TOKEN,
                "The revision that the channel resolved to on this architecture, if it is known.",
                WorkerCommand.UpgradeMachine::resolvedRevision);
        var unavailable = row.required(
                "maxUnavailable",
                ScalarCodecs.COUNT,
                "How many workers of the cluster, including this one, may be unavailable when the call is made.",
                WorkerCommand.UpgradeMachine::maxUnavailable);
        var leaseExpiresAt = row.required(
                "leaseExpiresAt",
                ScalarCodecs.INSTANT,
                "When the command lease expires: the call must not begin later.",
                WorkerCommand.UpgradeMachine::leaseExpiresAt);
        var checks = row.omittedIfDefault(
                "checks",
                HealthCheckCodec.CHECKS,
                CampaignChecks.NONE,
                "Checks that must hold before and after the call.",
                WorkerCommand.UpgradeMachine::checks);
        var machineClass = row.optional(
                "machineClass",
                ScalarCodecs.text(1, LabelsCodec.MAX_VALUE),
                "The class of the machine for durations: the value of the policy's classLabel.",
                WorkerCommand.UpgradeMachine::machineClass);
        var drain = row.optional(
                "drain",
                SharedValueCodecs.DRAIN,
                "Whether its node is drained before the call: never, auto (if another node can take the pods) or"
                        + " always. Default: the setting of the site's worker.",
                WorkerCommand.UpgradeMachine::drainMode);
        var mode = row.optional(
                "mode",
                EnumCodec.of(SiteMode.class, SiteMode::label),
                "Who acts on the provider's annotations in the site, and so whether such an annotation on the Machine belongs"
                        + " to another controller. Default: intercept.",
                WorkerCommand.UpgradeMachine::mode);
        var downgrade = row.omittedIfDefault(
                "allowDowngrade",
                ScalarCodecs.FLAG,
                true,
                "Whether the call may be made on a node with a newer version than the target's.",
                WorkerCommand.UpgradeMachine::allowDowngrade);
        var provider = row.omittedIfDefault(
                "provider",
                UpgradeProviderCodecs.PROVIDER,
                UpgradeProvider.K8SD,
                "What upgrades the machine. Default: k8sd.",
                WorkerCommand.UpgradeMachine::provider);
        var template = row.optional(
                "template",
                UpgradeProviderCodecs.TEMPLATE,
                "With provider node-upgrade: the template of the machine's NodeUpgrade.",
                WorkerCommand.UpgradeMachine::template);
        var prepared = row.omittedIfDefault(
                "prepared",
                ScalarCodecs.FLAG,
                false,
                "Whether a preparation has fetched what the upgrade needs. Default: false.",
                WorkerCommand.UpgradeMachine::prepared);
        return row.build(v -> new WorkerCommand.UpgradeMachine(
                key.read(v),
                v.get(uid),
                v.get(attemptId),
                v.get(role),
                v.get(target),
                v.get(version),
                v.get(resolvedRevision),
                v.get(unavailable),
                v.get(leaseExpiresAt),
                v.get(checks),
                v.get(machineClass),
                v.get(drain),
                v.get(mode),
                v.get(downgrade),
                v.get(provider),
                v.get(template),
                v.get(prepared)));
    }

    private static JsonObjectCodec<WorkerCommand.PrepareMachine> prepare() {
        var row = JsonObjectCodec.<WorkerCommand.PrepareMachine>of(
                "prepare",
                "Fetch what the upgrade of the machine needs, ahead of it, and change nothing that runs. Only for machines"
                        + " that NodeUpgrades upgrade.");
        var key = MachineKeyFields.declare(row, WorkerCommand.PrepareMachine::key);
        var uid = row.required(
                "uid", ScalarCodecs.TOKEN, "The uid of the Machine object.", WorkerCommand.PrepareMachine::uid);
        var attemptId = row.required(
                "attemptId",
                ScalarCodecs.SEQ,
                "The id of the preparation, which no attempt has.",
                WorkerCommand.PrepareMachine::attemptId);
        var role = row.required(
                "role",
                InventoryRowCodecs.ROLE,
                "The machine's role in its cluster.",
                WorkerCommand.PrepareMachine::role);
        var target =
                row.required("target", SharedValueCodecs.OPTION, "The target.", WorkerCommand.PrepareMachine::target);
        var leaseExpiresAt = row.required(
                "leaseExpiresAt",
                ScalarCodecs.INSTANT,
                "When the command lease expires: the preparation must not begin later.",
                WorkerCommand.PrepareMachine::leaseExpiresAt);
        var deadline = row.required(
                "deadline", ScalarCodecs.INSTANT, "No step starts after it.", WorkerCommand.PrepareMachine::deadline);
        var template = row.required(
                "template",
                UpgradeProviderCodecs.TEMPLATE,
                "The template of the machine's NodeUpgrade.",
                WorkerCommand.PrepareMachine::template);
        return row.build(v -> new WorkerCommand.PrepareMachine(
                key.read(v),
                v.get(uid),
                v.get(attemptId),
                v.get(role),
                v.get(target),
                v.get(leaseExpiresAt),
                v.get(deadline),
                v.get(template)));
    }

    private static JsonObjectCodec<WorkerCommand.CancelUpgrade> cancel() {
        var row = JsonObjectCodec.<WorkerCommand.CancelUpgrade>of(
                "cancel",
                "Cancel the attempt: do not make the call. If it was made already, abort the change if the provider can, and"
                        + " follow it to its end.");
        var key = MachineKeyFields.declare(row, WorkerCommand.CancelUpgrade::key);
        var uid = row.required(
                "uid", ScalarCodecs.TOKEN, "The uid of the Machine object.", WorkerCommand.CancelUpgrade::uid);
        var attemptId = row.required(
                "attemptId", ScalarCodecs.SEQ, "The attempt's id.", WorkerCommand.CancelUpgrade::attemptId);
        var reason = row.required(
                "reason", ScalarCodecs.text(0, 1024), "Why it is cancelled.", WorkerCommand.CancelUpgrade::reason);
        var provider = row.omittedIfDefault(
                "provider",
                UpgradeProviderCodecs.PROVIDER,
                UpgradeProvider.K8SD,
                "What upgrades the machine. Default: k8sd.",
                WorkerCommand.CancelUpgrade::provider);
        var template = row.optional(
                "template",
                UpgradeProviderCodecs.TEMPLATE,
                "With provider node-upgrade: the template of the machine's NodeUpgrade.",
                WorkerCommand.CancelUpgrade::template);
        var upgrade = row.optional(
                "upgrade",
                cancelledUpgrade(),
                "With provider node-upgrade: what is cancelled, for a worker that does not know the command before.",
                WorkerCommand.CancelUpgrade::upgrade);
        return row.build(v -> new WorkerCommand.CancelUpgrade(
                key.read(v),
                v.get(uid),
                v.get(attemptId),
                v.get(reason),
                v.get(provider),
                v.get(template),
                v.get(upgrade)));
    }

    private static JsonCodec<WorkerCommand.CancelledUpgrade> cancelledUpgrade() {
        var upgrade = JsonObjectCodec.<WorkerCommand.CancelledUpgrade>of(
                "cancelledUpgrade", "What a cancelled attempt would bring its machine to.");
        var role = upgrade.required(
                "role",
                InventoryRowCodecs.ROLE,
                "The machine's role in its cluster.",
                WorkerCommand.CancelledUpgrade::role);
        var target = upgrade.required(
                "target", SharedValueCodecs.OPTION, "The target.", WorkerCommand.CancelledUpgrade::target);
        var version = upgrade.optional(
                "expectedVersion",
                ScalarCodecs.TOKEN,
                "The Kubernetes version that the node must show after the upgrade.",
                WorkerCommand.CancelledUpgrade::expectedVersion);
        return upgrade.build(v -> new WorkerCommand.CancelledUpgrade(v.get(role), v.get(target), v.get(version)));
    }

    private static JsonCodec<AttemptProgress> progress() {
        var row = JsonObjectCodec.<AttemptProgress>of("progress", "A worker's newest report about a machine.");
        var key = MachineKeyFields.declare(row, AttemptProgress::key);
        var uid = row.required("uid", ScalarCodecs.TOKEN, "The uid of the Machine object.", AttemptProgress::uid);
        var attemptId = row.required("attemptId", ScalarCodecs.SEQ, "The attempt's id.", AttemptProgress::attemptId);
        var report = row.required("report", AttemptReportCodec.REPORT, "The report.", AttemptProgress::report);
        var reportedAt = row.required(
                "reportedAt",
                ScalarCodecs.INSTANT,
                "When it was reported, by the worker's clock.",
                AttemptProgress::reportedAt);
        return row.build(
                v -> new AttemptProgress(key.read(v), v.get(uid), v.get(attemptId), v.get(report), v.get(reportedAt)));
    }
}
