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
 * Plans the ConfigMap with default releases in each namespace with owners. From it the policy {@code flotilla-joiners}
 * writes the release on a new Machine, so that it does not boot a version that the other machines of its owner have
 * left. Only in the mode in which that policy exists.
 */
final class JoinerReleaseConfigMaps {
    /** The policy's binding refers to the ConfigMap by this name. */
    static final String NAME = "flotilla-default-releases";

    private final SiteMode mode;

    /** The releases written by this process, by owner. What an earlier process wrote is not known. */
    private final Map<OwnerKey, String> writtenReleases = new HashMap<>();

    JoinerReleaseConfigMaps(SiteMode mode) {
        this.mode = mode;
    }

    /** Plans the write for an owner; null for none. */
    ObjectWrite.@Nullable JoinerReleaseWrite planWrite(OwnerKey key, @Nullable OwnerView owner) {
        if (mode != SiteMode.INTERCEPT || key.kind() == OwnerKind.MACHINE_POOL) {
            return null;
        }
        String release =
                owner == null ? null : bootableOrNull(owner.annotations().defaultRelease());
        return Objects.requireNonNullElse(release, "").equals(writtenReleases.getOrDefault(key, ""))
                ? null
                : new ObjectWrite.JoinerReleaseWrite(key, release);
    }

    /**
     * Returns the release if a new machine can boot with it: a channel or a revision, because a local file may be
     * missing in its image.
     */
    private static @Nullable String bootableOrNull(@Nullable String defaultRelease) {
        return defaultRelease == null
                        || UpgradeTarget.problemOf(defaultRelease) != null
                        || UpgradeTarget.parse(defaultRelease) instanceof UpgradeTarget.LocalPath
                ? null
                : defaultRelease;
    }

    /** Records a write that succeeded, or that is forbidden and not retried. */
    void recordWrite(ObjectWrite.JoinerReleaseWrite write) {
        if (write.release() == null) {
            writtenReleases.remove(write.object());
        } else {
            writtenReleases.put(write.object(), write.release());
        }
    }

    /** Returns the field manager of an owner's entry, so that an entry that is not applied any more is removed. */
    static String fieldManager(OwnerKey key) {
        return "flotilla-" + UUID.nameUUIDFromBytes(entryName(key).getBytes(StandardCharsets.UTF_8));
    }

    /** Builds the ConfigMap with this owner's entry alone, for server-side apply. */
    static JsonObjectReader toConfigMap(ObjectWrite.JoinerReleaseWrite write) {
        JsonObjectReader.Builder data = new JsonObjectReader.Builder();
        if (write.release() != null) {
            data.put(entryName(write.object()), write.release());
        }
        return new JsonObjectReader.Builder()
                .put("apiVersion", "v1")
                .put("kind", "ConfigMap")
                .put(
                        "metadata",
                        new JsonObjectReader.Builder()
                                .put("namespace", write.object().namespace())
                                .put("name", NAME)
                                .build())
                .put("data", data.build())
                .build();
    }

    private static String entryName(OwnerKey key) {
        return key.kind().label() + "." + key.name();
    }
}
