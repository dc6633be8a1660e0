package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Plans the ConfigMap with default releases in each namespace with owners. From it the policy {@code flotilla-joiners}
 * writes the release on a new Machine, so that it does not boot a version that the other machines of its owner have
 * left. Only in the mode in which that policy exists.
 */
public final class JoinerReleaseConfigMaps {
    /** The policy's binding and the webhook refer to the ConfigMap by this name. */
    public static final String NAME = "flotilla-default-releases";

    private final SiteMode mode;

    /** The releases in the ConfigMaps, by owner, as far as a response has shown them. */
    private final Map<OwnerKey, String> writtenReleases = new HashMap<>();

    /** Namespaces whose ConfigMap a response has shown. */
    private final Set<String> knownNamespaces = new HashSet<>();

    JoinerReleaseConfigMaps(SiteMode mode) {
        this.mode = mode;
    }

    /**
     * Plans the write for an owner; null for none. The first owner of a namespace is written in any case: the response
     * shows the entries that an earlier session wrote.
     */
    ObjectWrite.@Nullable JoinerReleaseWrite planWrite(OwnerKey key, @Nullable OwnerView owner) {
        if (mode != SiteMode.INTERCEPT || key.kind() == OwnerKind.MACHINE_POOL) {
            return null;
        }
        String release =
                owner == null ? null : bootableOrNull(owner.annotations().defaultRelease());
        boolean known = owner == null || knownNamespaces.contains(key.namespace());
        return known && Objects.requireNonNullElse(release, "").equals(writtenReleases.getOrDefault(key, ""))
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
                        || !isInImage(UpgradeTarget.parse(defaultRelease))
                ? null
                : defaultRelease;
    }

    private static boolean isInImage(UpgradeTarget target) {
        return target instanceof UpgradeTarget.Channel || target instanceof UpgradeTarget.Revision;
    }

    /**
     * Records a write that succeeded, or that is forbidden and not retried, and returns the owners of entries that were
     * not known. They may have been deleted, or have lost their default release, while no session ran.
     *
     * @param configMap the ConfigMap after the write; null if it is forbidden
     */
    Set<OwnerKey> recordWrite(ObjectWrite.JoinerReleaseWrite write, @Nullable KubeObject configMap) {
        knownNamespaces.add(write.object().namespace());
        if (write.release() == null) {
            writtenReleases.remove(write.object());
        } else {
            writtenReleases.put(write.object(), write.release());
        }
        Set<OwnerKey> found = new LinkedHashSet<>();
        KubeObject data = configMap == null ? null : configMap.object("data");
        for (int i = 0; data != null && i < data.json().size(); i++) {
            String entryName = data.json().name(i);
            OwnerKey owner = parseEntryName(write.object(), entryName);
            String release = data.text(entryName);
            if (owner != null && release != null && writtenReleases.putIfAbsent(owner, release) == null) {
                found.add(owner);
            }
        }
        return found;
    }

    /** Returns the owner of an entry in the same namespace as another owner; null if it is none of Flotilla's. */
    private static @Nullable OwnerKey parseEntryName(OwnerKey sibling, String entryName) {
        for (OwnerKind kind : OwnerKind.values()) {
            String prefix = kind.label() + ".";
            if (entryName.startsWith(prefix)) {
                return new OwnerKey(sibling.site(), kind, sibling.namespace(), entryName.substring(prefix.length()));
            }
        }
        return null;
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
        return entryName(key.kind().label(), key.name());
    }

    /** Returns the name of an owner's entry; the policy has the same names. */
    public static String entryName(String kind, String name) {
        return kind + "." + name;
    }
}
