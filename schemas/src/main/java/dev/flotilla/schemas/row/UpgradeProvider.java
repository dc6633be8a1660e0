package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** What upgrades a machine in place, and so which targets it can have. */
public enum UpgradeProvider {
    /** The k8sd of Canonical Kubernetes, which refreshes the node's snap. */
    K8SD(0, "k8sd", "channel=, revision= and localPath="),
    /** A controller that fulfils NodeUpgrades, which are made from a template. */
    NODE_UPGRADE(1, "node-upgrade", "version= and spec="),
    /** Nothing: the machine cannot be upgraded in place. */
    NONE(2, "none", "no target");

    private final int code;
    private final String label;
    private final String targets;

    UpgradeProvider(int code, String label, String targets) {
        this.code = code;
        this.label = label;
        this.targets = targets;
    }

    /** The number that represents it in compact columns. */
    public int code() {
        return code;
    }

    public String label() {
        return label;
    }

    /** The kinds of targets that it applies, for messages. */
    public String targets() {
        return targets;
    }

    /** Whether a change that it has begun can be aborted. A refresh by k8sd is never interrupted. */
    public boolean canAbort() {
        return this == NODE_UPGRADE;
    }

    /** Whether it can fetch what an upgrade needs ahead of it. */
    public boolean canPrepare() {
        return this == NODE_UPGRADE;
    }

    /** Why no machine can be prepared for a target; null if a provider can. */
    public static @Nullable String preparationProblem(UpgradeTarget target) {
        return NODE_UPGRADE.canApply(target)
                ? null
                : "is not possible for " + target.text()
                        + ": k8sd has no call that fetches a snap without installing it";
    }

    /** Whether it can bring a machine to a target. */
    public boolean canApply(UpgradeTarget target) {
        return switch (target) {
            case UpgradeTarget.Channel channel -> this == K8SD;
            case UpgradeTarget.Revision revision -> this == K8SD;
            case UpgradeTarget.LocalPath path -> this == K8SD;
            case UpgradeTarget.KubernetesRelease release -> this == NODE_UPGRADE;
            case UpgradeTarget.MachineSpecHash hash -> this == NODE_UPGRADE;
        };
    }
}
