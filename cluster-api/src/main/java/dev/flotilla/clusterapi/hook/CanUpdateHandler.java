package dev.flotilla.clusterapi.hook;

import dev.flotilla.clusterapi.coverage.CoverageAnswer;
import dev.flotilla.clusterapi.coverage.CoverageDecider;
import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.coverage.UncoveredPolicy;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;

/**
 * Answers {@code CanUpdateMachine} and {@code CanUpdateMachineSet}.
 *
 * @param defaults what the settings of an ExtensionConfig add to
 */
record CanUpdateHandler(CoverageTable defaults) {

    /** Returns whether the change in a request is covered. */
    CoverageAnswer decide(Hook hook, KubeObject request) {
        return switch (CoverageSettings.read(request, defaults)) {
            case CoverageSettings.SettingsResult.InvalidSettings invalid ->
                new CoverageAnswer.InvalidRequest(invalid.problem());
            case CoverageSettings.SettingsResult.ValidSettings valid ->
                CoverageDecider.decide(
                        valid.table(),
                        request,
                        hook == Hook.CAN_UPDATE_MACHINE ? HookObject.OF_MACHINE : HookObject.OF_MACHINE_SET);
        };
    }

    static JsonObjectReader respond(Hook hook, CoverageAnswer answer) {
        return switch (answer) {
            case CoverageAnswer.Covered covered -> HookResponse.covered(hook, covered);
            case CoverageAnswer.NotCovered notCovered ->
                notCovered.policy() == UncoveredPolicy.REPLACE
                        ? HookResponse.uncovered(hook, notCovered.describe())
                        : HookResponse.failure(hook, notCovered.describe());
            case CoverageAnswer.InvalidRequest invalid -> HookResponse.failure(hook, invalid.problem());
        };
    }
}
