package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.topic.Keys;
import java.util.List;

/** What is asked for in a site by annotations, and what the orchestrator tells the site about it. */
public final class StatusCodecs {
    public static final Codec<Intent> INTENT = intent();
    public static final Codec<SiteStatus> SITE = site();
    public static final Codec<MachineStatus> MACHINE = machine();
    public static final Codec<ObjectStatus> OBJECT = object();

    private StatusCodecs() {}

    private static Codec<Intent> intent() {
        var row = RecordCodec.<Intent>of("intent", "What an annotation on an object asks for.");
        var site =
                row.required("site", Ids.SITE, Parts.SITE_TEXT, i -> i.object().site());
        var object = row.required("object", Ids.OBJECT, "The annotated object.", i -> Keys.print(i.object()));
        var uid = row.required("uid", Scalars.TOKEN, "The object's uid.", Intent::uid);
        var option = row.required("option", Parts.OPTION, "What the annotation says.", Intent::option);
        var since =
                row.required("since", Scalars.INSTANT, "When the watcher saw the annotation change.", Intent::since);
        return row.build(
                v -> new Intent(Ids.object(v.get(site), v.get(object)), v.get(uid), v.get(option), v.get(since)));
    }

    private static Codec<SiteStatus> site() {
        var row = RecordCodec.<SiteStatus>of("site-status", "What the orchestrator tells a site's watcher.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, SiteStatus::site);
        var removal = row.optional(
                "acceptedRemoval",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The id of the order that accepted a mass removal: its tombstones may now be written.",
                SiteStatus::acceptedRemoval);
        var below = row.defaulted(
                "writtenOffBelow",
                Scalars.SEQ,
                0L,
                "Open attempts with a lower number are written off; zero for none. Only earlier versions write it: see site-head.",
                SiteStatus::writtenOffBelow);
        var writeOff = row.optional(
                "writeOffOrder",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The id of the order that wrote them off. Only earlier versions write it: see site-head.",
                SiteStatus::writeOffOrder);
        var paths = row.usual(
                "localPaths",
                PolicyCodec.DIRECTORIES,
                List.of(),
                "Directories below which an annotation of this site may point, as the policies say.",
                SiteStatus::localPaths);
        var waiting = row.optional(
                "waiting",
                Scalars.text(0, SiteStatus.MAX_WAITING),
                "What keeps all annotations of this site waiting: the label of a gate, and what it says.",
                SiteStatus::waiting);
        return row.build(v -> new SiteStatus(
                v.get(site), v.get(removal), v.get(below), v.get(writeOff), v.get(paths), v.get(waiting)));
    }

    private static Codec<MachineStatus> machine() {
        var row = RecordCodec.<MachineStatus>of(
                "machine-status", "What was decided about a machine and what came of it.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, m -> m.key().site());
        var namespace = row.required(
                "namespace",
                Ids.LABEL,
                "The Machine object's namespace.",
                m -> m.key().namespace());
        var name = row.required(
                "name", Ids.NAME, "The Machine object's name.", m -> m.key().name());
        var uid = row.required(
                "uid",
                Scalars.TOKEN,
                "The machine these decisions are about: the same name with another uid is another machine.",
                MachineStatus::uid);
        var attempt = row.optional(
                "attempt", AttemptCodecs.ATTEMPT, "The open attempt, if there is one.", MachineStatus::attempt);
        var failure =
                row.optional("lastFailure", AttemptCodecs.FAILURE, "How it failed last.", MachineStatus::lastFailure);
        var entries = row.<List<Entry>>defaulted(
                "entries",
                new Lists<>(AttemptCodecs.ENTRY, Entry.MAX_PER_MACHINE),
                List.of(),
                "An entry for each open campaign or intent that has begun with it.",
                MachineStatus::entries);
        return row.build(v -> new MachineStatus(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)),
                v.get(uid),
                v.get(attempt),
                v.get(failure),
                v.get(entries)));
    }

    private static Codec<ObjectStatus> object() {
        var row = RecordCodec.<ObjectStatus>of("object-status", "How far an owner's or a cluster's intent is.");
        var site =
                row.required("site", Ids.SITE, Parts.SITE_TEXT, o -> o.object().site());
        var object = row.required("object", Ids.OBJECT, "The annotated object.", o -> Keys.print(o.object()));
        var uid = row.required("uid", Scalars.TOKEN, "The object's uid.", ObjectStatus::uid);
        var since = row.required(
                "since",
                Scalars.INSTANT,
                "The intent's own transition: with the object it tells which intent this is about.",
                ObjectStatus::since);
        var target = row.required("target", Parts.OPTION, "Where its machines are to go.", ObjectStatus::target);
        var state = row.required(
                "state",
                Choice.of(ObjectStatus.State.class, ObjectStatus.State::label),
                "The value of the status annotation.",
                ObjectStatus::state);
        var atWork = row.optional(
                "atWork",
                Ids.MACHINE,
                "A machine that is being upgraded for it just now, as <site>/<namespace>/<name>.",
                ObjectStatus::atWork);
        var machines = row.required("machines", Scalars.COUNT, "How many machines it has.", ObjectStatus::machines);
        var succeeded = row.required(
                "succeeded", Scalars.COUNT, "How many of them are at the target.", ObjectStatus::succeeded);
        var failed = row.required("failed", Scalars.COUNT, "How many of them are quarantined.", ObjectStatus::failed);
        var lastFailure = row.optional(
                "lastFailure",
                machineFailure(),
                "How a machine failed last that is not at the target yet.",
                ObjectStatus::lastFailure);
        return row.build(v -> new ObjectStatus(
                Ids.object(v.get(site), v.get(object)),
                v.get(uid),
                v.get(since),
                v.get(target),
                v.get(state),
                v.get(atWork),
                v.get(machines),
                v.get(succeeded),
                v.get(failed),
                v.get(lastFailure)));
    }

    private static Codec<ObjectStatus.MachineFailure> machineFailure() {
        var part = RecordCodec.<ObjectStatus.MachineFailure>of("machine-failure", "How a machine failed.");
        var machine = part.required(
                "machine",
                Ids.MACHINE,
                "The machine, as <site>/<namespace>/<name>.",
                ObjectStatus.MachineFailure::machine);
        var failure =
                part.required("failure", AttemptCodecs.FAILURE, "How it failed.", ObjectStatus.MachineFailure::failure);
        return part.build(v -> new ObjectStatus.MachineFailure(v.get(machine), v.get(failure)));
    }
}
