package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What Machines that join are made with: a ConfigMap in each namespace with owners, out of which the policy
 * {@code flotilla-joiners} writes the release on a new Machine, so that it does not boot the version that its owner's others have
 * left behind. Only in the mode in which that policy is there.
 */
final class JoinerReleaseConfigMaps {
    /** By this name the policy's binding finds it. */
    static final String NAME = "flotilla-standing-releases";

    private final SiteMode mode;

    /** What was written of owners; nothing is known of what was written before. */
    private final Map<OwnerKey, String> written = new HashMap<>();

    JoinerReleaseConfigMaps(SiteMode mode) {
        this.mode = mode;
    }

    /** What has to be written of an owner; null for nothing. */
    ObjectWrite.@Nullable JoinerReleaseWrite planWrite(OwnerKey key, @Nullable OwnerView owner) {
        if (mode != SiteMode.INTERCEPT || key.kind() == OwnerKind.MACHINE_POOL) {
            return null;
        }
        String release = owner == null ? null : bootable(owner.annotations().defaultRelease());
        return Objects.requireNonNullElse(release, "").equals(written.getOrDefault(key, ""))
                ? null
                : new ObjectWrite.JoinerReleaseWrite(key, release);
    }

    /** A file is in the image of a new machine, or it is not: only what is in a store can be asked for at the first boot. */
    private static @Nullable String bootable(@Nullable String standing) {
        return standing == null
                        || UpgradeTarget.problemOf(standing) != null
                        || UpgradeTarget.parse(standing) instanceof UpgradeTarget.LocalPath
                ? null
                : standing;
    }

    /** It was written, or may not be. */
    void recordWrite(ObjectWrite.JoinerReleaseWrite change) {
        if (change.release() == null) {
            written.remove(change.object());
        } else {
            written.put(change.object(), change.release());
        }
    }

    /** Whom the API server knows as the writer of an owner's part: what one does not say any more goes. */
    static String fieldManager(OwnerKey key) {
        return "flotilla-" + UUID.nameUUIDFromBytes(name(key).getBytes(StandardCharsets.UTF_8));
    }

    /** Its part of the ConfigMap. */
    static JsonObjectReader toConfigMap(ObjectWrite.JoinerReleaseWrite change) {
        JsonObjectReader.Builder data = new JsonObjectReader.Builder();
        if (change.release() != null) {
            data.put(name(change.object()), change.release());
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", change.object().namespace())
                                .put("name", NAME)
                                .build())
                .put("data", data.build())
                .build();
    }

    private static String name(OwnerKey key) {
        return key.kind().label() + "." + key.name();
    }
}
