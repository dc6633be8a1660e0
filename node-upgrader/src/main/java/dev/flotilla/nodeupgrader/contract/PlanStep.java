package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.schemas.row.MachineRole;
import java.util.List;

/**
 * A step of a plan.
 *
 * @param prepares whether it only fetches what the upgrade needs
 * @param retryableExitCodes after three tries with one of them, another attempt may succeed
 * @param permanentExitCodes with one of them, the step is not tried again
 * @param reboots whether the step has succeeded when the node has another boot id
 */
public record PlanStep(
        String name,
        String image,
        List<String> command,
        List<EnvironmentVariable> environment,
        List<MachineRole> roles,
        boolean prepares,
        long timeoutSeconds,
        List<Long> retryableExitCodes,
        List<Long> permanentExitCodes,
        boolean reboots) {
    public PlanStep {
        command = List.copyOf(command);
        environment = List.copyOf(environment);
        roles = List.copyOf(roles);
        retryableExitCodes = List.copyOf(retryableExitCodes);
        permanentExitCodes = List.copyOf(permanentExitCodes);
    }

    /** A variable in the environment of a step. */
    public record EnvironmentVariable(String name, String value) {}
}
