package dev.flotilla.managementwatcher.report;

import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.SiteStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the orchestrator says of a site, as far as it was read. */
public final class StatusBoard {
    private final Map<MachineKey, Told> machines = new HashMap<>();
    private final Map<ObjectKey, ObjectStatus> objects = new HashMap<>();
    private @Nullable SiteStatus site;

    /** Takes a record; returns the object it is about, null for none. What cannot be read says nothing. */
    public @Nullable ObjectKey read(Read read) {
        Fact fact = Wire.decode(read.record()) instanceof Decoded.Accepted<Fact> accepted ? accepted.value() : null;
        return switch (fact) {
            case MachineStatus row -> {
                machines.put(row.key(), Told.of(machines.get(row.key()), row, Instant.ofEpochMilli(read.appended())));
                yield row.key();
            }
            case ObjectStatus row -> {
                objects.put(row.object(), row);
                yield row.object();
            }
            case SiteStatus row -> {
                site = row;
                yield null;
            }
            case Gone gone -> {
                if (!(gone.at().key() instanceof ObjectKey key)) {
                    yield null;
                }
                objects.remove(key);
                if (key instanceof MachineKey machine) {
                    machines.remove(machine);
                }
                yield key;
            }
            case null -> null;
            default -> null;
        };
    }

    public @Nullable Told machine(MachineKey key) {
        return machines.get(key);
    }

    /** A machine's object shows what was told of it. */
    void isShown(MachineKey key) {
        machines.computeIfPresent(key, (same, told) -> told.asShown());
    }

    public @Nullable ObjectStatus object(ObjectKey key) {
        return objects.get(key);
    }

    /** The order by which a mass removal was accepted; null for none. */
    public @Nullable String acceptedRemoval() {
        return site == null ? null : site.acceptedRemoval();
    }

    /** What keeps all annotations of the site waiting; null for nothing. */
    public @Nullable String waiting() {
        return site == null ? null : site.waiting();
    }

    /** Directories below which an annotation may point; null as long as nobody has said. */
    public @Nullable List<String> localPaths() {
        return site == null ? null : site.localPaths();
    }
}
