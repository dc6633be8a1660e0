package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.UnionCodec;
import dev.flotilla.schemas.row.Checks;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.SiteMode;

/** What a site's workers are told, and what they tell. */
public final class WorkCodecs {
    public static final Codec<Command> COMMAND = command();
    public static final Codec<Progress> PROGRESS = progress();

    private WorkCodecs() {}

    private static Codec<Command> command() {
        return new UnionCodec<Command>("command", "What a site's worker is to do about a machine.", "do", "What to do.")
                .with("upgrade", Command.UpgradeMachine.class, upgrade())
                .with("cancel", Command.CancelUpgrade.class, cancel());
    }

    private static RecordCodec<Command.UpgradeMachine> upgrade() {
        var row = RecordCodec.<Command.UpgradeMachine>of(
                "upgrade", "Upgrade the machine. The same attempt with a later notAfter renews it.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, c -> c.key().site());
        var namespace = row.required(
                "namespace",
                Ids.LABEL,
                "The Machine object's namespace.",
                c -> c.key().namespace());
        var name = row.required(
                "name", Ids.NAME, "The Machine object's name.", c -> c.key().name());
        var uid = row.required("uid", Scalars.TOKEN, "Which machine it is.", Command.UpgradeMachine::uid);
        var attempt = row.required("attempt", Scalars.SEQ, "The attempt's number.", Command.UpgradeMachine::attempt);
        var role = row.required(
                "role", InventoryCodecs.ROLE, "What the machine is to its cluster.", Command.UpgradeMachine::role);
        var target =
                row.required("target", Parts.OPTION, "Where the machine is to go.", Command.UpgradeMachine::target);
        var version = row.optional(
                "expectedVersion",
                Scalars.TOKEN,
                "The Kubernetes version that the node must show as well.",
                Command.UpgradeMachine::expectedVersion);
        var learned = row.optional(
                "learnedRevision",
                Scalars.TOKEN,
                "The revision that the channel has proved to mean on this architecture, if known.",
                Command.UpgradeMachine::learnedRevision);
        var unavailable = row.required(
                "maxUnavailable",
                Scalars.COUNT,
                "Workers of the cluster that may be unavailable, this one among them, when the call is made.",
                Command.UpgradeMachine::maxUnavailable);
        var notAfter = row.required(
                "notAfter", Scalars.INSTANT, "No call begins later than this.", Command.UpgradeMachine::notAfter);
        var checks = row.usual(
                "checks",
                CheckCodec.CHECKS,
                Checks.NONE,
                "What must hold around the call.",
                Command.UpgradeMachine::checks);
        var machineClass = row.optional(
                "machineClass",
                Scalars.text(1, LabelsCodec.MAX_VALUE),
                "The machines of its role that take as long: the value of the policy's label.",
                Command.UpgradeMachine::machineClass);
        var drain = row.optional(
                "drain",
                Parts.DRAIN,
                "Whether its node is emptied before the call: never, auto (where another node can take the pods) or"
                        + " always. Without it as the site's worker is set.",
                Command.UpgradeMachine::drain);
        var mode = row.optional(
                "mode",
                Choice.of(SiteMode.class, SiteMode::label),
                "Who acts on the provider's annotations in the site, and so whether the provider's key on its Machine is"
                        + " foreign. Without it as with intercept.",
                Command.UpgradeMachine::mode);
        var downgrade = row.usual(
                "allowDowngrade",
                Scalars.FLAG,
                true,
                "Whether the call may be made on a node that shows a newer version than the target's.",
                Command.UpgradeMachine::allowDowngrade);
        return row.build(v -> new Command.UpgradeMachine(
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

    private static RecordCodec<Command.CancelUpgrade> cancel() {
        var row = RecordCodec.<Command.CancelUpgrade>of(
                "cancel", "Do not call for this attempt; where the call was made already, watch it to its end.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, c -> c.key().site());
        var namespace = row.required(
                "namespace",
                Ids.LABEL,
                "The Machine object's namespace.",
                c -> c.key().namespace());
        var name = row.required(
                "name", Ids.NAME, "The Machine object's name.", c -> c.key().name());
        var uid = row.required("uid", Scalars.TOKEN, "Which machine it is.", Command.CancelUpgrade::uid);
        var attempt = row.required("attempt", Scalars.SEQ, "The attempt's number.", Command.CancelUpgrade::attempt);
        var why = row.required("why", Scalars.text(0, 1024), "Why it is no longer wanted.", Command.CancelUpgrade::why);
        return row.build(v -> new Command.CancelUpgrade(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)), v.get(uid), v.get(attempt), v.get(why)));
    }

    private static Codec<Progress> progress() {
        var row = RecordCodec.<Progress>of("progress", "A worker's newest word about a machine.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, p -> p.key().site());
        var namespace = row.required(
                "namespace",
                Ids.LABEL,
                "The Machine object's namespace.",
                p -> p.key().namespace());
        var name = row.required(
                "name", Ids.NAME, "The Machine object's name.", p -> p.key().name());
        var uid = row.required("uid", Scalars.TOKEN, "Which machine it is.", Progress::uid);
        var attempt = row.required("attempt", Scalars.SEQ, "The attempt's number.", Progress::attempt);
        var report = row.required("report", ReportCodec.REPORT, "What the worker says of it.", Progress::report);
        var time = row.required("time", Scalars.INSTANT, "When it said so, by its own clock.", Progress::time);
        return row.build(v -> new Progress(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)),
                v.get(uid),
                v.get(attempt),
                v.get(report),
                v.get(time)));
    }
}
