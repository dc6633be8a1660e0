package dev.flotilla.nodeupgrader.job;

import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import java.util.stream.Collectors;

/** Builds the shell script that runs the command of a step on the node. */
final class StepScriptBuilder {
    private StepScriptBuilder() {}

    static String build(NodeUpgrade nodeUpgrade, PlanStep step) {
        StringBuilder script = new StringBuilder();
        step.environment().forEach(variable -> export(script, variable.name(), variable.value()));
        export(script, "FLOTILLA_TARGET", nodeUpgrade.target());
        String version = nodeUpgrade.targetVersion();
        if (version != null) {
            export(script, "FLOTILLA_VERSION", version);
        }
        export(script, "FLOTILLA_ROLE", nodeUpgrade.role().label());
        export(script, "FLOTILLA_NODE", nodeUpgrade.node());
        export(script, "FLOTILLA_MACHINE", nodeUpgrade.machine());
        export(script, "FLOTILLA_ATTEMPT", Long.toString(nodeUpgrade.attemptId()));
        String folder = UpgradeJobFactory.folderOf(nodeUpgrade) + "/" + step.name();
        export(script, "FLOTILLA_FILES", folder + "/files");
        export(script, "FLOTILLA_MESSAGE_FILE", folder + "/message");
        script.append("cd \"$FLOTILLA_FILES\" 2>/dev/null || cd /\nexec ")
                .append(step.command().stream().map(StepScriptBuilder::quote).collect(Collectors.joining(" ")))
                .append('\n');
        return script.toString();
    }

    private static void export(StringBuilder script, String name, String value) {
        script.append("export ").append(name).append('=').append(quote(value)).append('\n');
    }

    /** Quotes a word for a shell, in which nothing in it has a meaning. */
    static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
