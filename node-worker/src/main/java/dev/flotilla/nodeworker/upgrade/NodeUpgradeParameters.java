package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.schemas.kube.NodeUpgradeStage;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an attempt whose machine a NodeUpgrade upgrades, or of a preparation.
 *
 * @param template the template of the NodeUpgrade; null if the command has none
 * @param target null if only the attempt's cancellation is known
 * @param stage null if the machine is prepared and upgraded at once
 * @param deadline after which no step starts; null for as long as an upgrade takes
 */
public record NodeUpgradeParameters(
        @Nullable NodeUpgradeTemplateRef template,
        @Nullable UpgradeTarget target,
        @Nullable NodeUpgradeStage stage,
        @Nullable Instant deadline) {

    /** The parameters of an upgrade that was not prepared. */
    public NodeUpgradeParameters(@Nullable NodeUpgradeTemplateRef template, @Nullable UpgradeTarget target) {
        this(template, target, null, null);
    }

    /** The parameters of a command; null if k8sd upgrades its machine. */
    static @Nullable NodeUpgradeParameters of(WorkerCommand command) {
        if (command.provider() == UpgradeProvider.K8SD) {
            return null;
        }
        return switch (command) {
            case WorkerCommand.UpgradeMachine upgrade ->
                new NodeUpgradeParameters(
                        upgrade.template(),
                        upgrade.target(),
                        upgrade.prepared() ? NodeUpgradeStage.UPGRADE : null,
                        null);
            case WorkerCommand.PrepareMachine prepare ->
                new NodeUpgradeParameters(
                        prepare.template(), prepare.target(), NodeUpgradeStage.PREPARE, prepare.deadline());
            case WorkerCommand.CancelUpgrade cancel ->
                new NodeUpgradeParameters(
                        cancel.template(),
                        cancel.upgrade() == null ? null : cancel.upgrade().target());
        };
    }
}
