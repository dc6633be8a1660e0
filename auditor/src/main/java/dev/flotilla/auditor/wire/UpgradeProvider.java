package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;
import java.util.List;

/** What upgrades a machine, and the targets that it can apply. */
public enum UpgradeProvider {
    K8SD(List.of("channel=", "revision=", "localPath=")),
    NODE_UPGRADE(List.of("version=", "spec=")),
    NONE(List.of());

    private final List<String> targets;

    UpgradeProvider(List<String> targets) {
        this.targets = targets;
    }

    /** The provider in field {@code provider}; k8sd if the field is absent. */
    static UpgradeProvider read(JsonFieldReader row) {
        return of(row.text("provider", "k8sd"));
    }

    static UpgradeProvider of(String label) {
        return switch (label) {
            case "k8sd" -> K8SD;
            case "node-upgrade" -> NODE_UPGRADE;
            case "none" -> NONE;
            default -> throw new MalformedJsonException("has the unknown provider \"" + label + "\"");
        };
    }

    public boolean canApply(String target) {
        return targets.stream().anyMatch(target::startsWith);
    }
}
