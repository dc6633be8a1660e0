package dev.flotilla.nodeupgrader.plans;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader.PlanReadResult;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.json.tree.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The plans of {@code deploy/node-upgrader/plans}, whose commands run on this machine. */
final class ShippedPlan {
    private ShippedPlan() {}

    /** The result of a step's command. */
    record CommandResult(int exit, String output) {}

    static UpgradePlan read(String name) throws IOException {
        String text = Files.readString(Path.of("../deploy/node-upgrader/plans/" + name + ".yaml"))
                .split("---\n", -1)[0];
        if (YamlReader.read(text, DocumentLimits.SPECIFICATION_BYTES) instanceof ParseResult.ParsedDocument document
                && document.value() instanceof JsonObjectReader json
                && UpgradePlanReader.read(new KubeObject(json)) instanceof PlanReadResult.ValidPlan validPlan) {
            return validPlan.plan();
        }
        throw new AssertionError(text);
    }

    /** Runs a step's command with the plan's environment and another, of which {@code PATH} is this process's if none is given. */
    static CommandResult run(String plan, String step, Map<String, String> environment)
            throws IOException, InterruptedException {
        PlanStep planStep = read(plan).step(step).orElseThrow();
        ProcessBuilder builder = new ProcessBuilder(planStep.command()).redirectErrorStream(true);
        builder.environment().clear();
        planStep.environment().forEach(each -> builder.environment().put(each.name(), each.value()));
        builder.environment().put("PATH", System.getenv("PATH"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandResult(process.waitFor(), output);
    }
}
