package dev.flotilla.cli;

import dev.flotilla.testkit.helm.HelmBinary;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A chart of {@code deploy/charts}, and what a real helm makes of it. */
record HelmChart(String name) {
    static final Path FOLDER = DeployedObject.FOLDER.resolve("charts");
    static final HelmChart CRDS = new HelmChart("flotilla-crds");
    static final HelmChart FLEET = new HelmChart("flotilla-fleet");
    static final HelmChart SITE = new HelmChart("flotilla-site");

    Path folder() {
        return FOLDER.resolve(name);
    }

    /** A file of values that comes with the chart's sources. */
    Path values(String file) {
        return folder().resolve("ci").resolve(file + "-values.yaml");
    }

    /** Runs {@code helm template} for a namespace. */
    CliResult template(String namespace, String... options) {
        return helm("template", namespace, options);
    }

    /** Renders the objects with a file of values and more options. */
    List<DeployedObject> render(String values, String... options) {
        List<String> all = new ArrayList<>(List.of("-f", values(values).toString()));
        all.addAll(List.of(options));
        CliResult said = template("flotilla", all.toArray(String[]::new));
        if (said.exit() != 0) {
            throw new AssertionError("helm template " + name + ": " + said.all());
        }
        return DeployedObject.parse(name, said.out());
    }

    /** Runs {@code helm lint}, for which a warning is an error. */
    CliResult lint(String... options) {
        List<String> arguments = new ArrayList<>(List.of("lint", "--strict", folder().toString()));
        arguments.addAll(List.of(options));
        return run(arguments);
    }

    /** Runs a command line of helm against a cluster, with values from a folder, and charts of the source tree. */
    static CliResult helm(Path kubeconfig, Path values, List<String> arguments) {
        List<String> absolute = new ArrayList<>();
        for (String argument : arguments) {
            boolean isValues = argument.endsWith(".yaml") && !argument.startsWith("templates/");
            boolean isChart = argument.startsWith("deploy/charts/");
            absolute.add(
                    isValues ? values.resolve(argument).toString() : isChart ? CliResult.path(argument) : argument);
        }
        return run(absolute, kubeconfig);
    }

    private CliResult helm(String verb, String namespace, String... options) {
        List<String> arguments = new ArrayList<>(List.of(verb, name, folder().toString(), "--namespace", namespace));
        arguments.addAll(List.of(options));
        return run(arguments);
    }

    /** No cluster: what a chart renders must not depend on one. */
    private static CliResult run(List<String> arguments) {
        return run(arguments, Path.of("/dev/null"));
    }

    private static CliResult run(List<String> arguments, Path kubeconfig) {
        List<String> command = new ArrayList<>();
        command.add(HelmBinary.find().orElseThrow().program().toString());
        command.addAll(arguments);
        try {
            // A new one each time: helm keeps there what the API server of an address serves.
            Path home = Files.createTempDirectory("helm");
            Path problems = home.resolve("stderr");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(problems.toFile());
            for (String folder : List.of("HOME", "HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")) {
                builder.environment().put(folder, home.toString());
            }
            builder.environment().put("KUBECONFIG", kubeconfig.toString());
            Process process = builder.start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            CliResult said = new CliResult(process.waitFor(), out, Files.readString(problems));
            try (Stream<Path> files = Files.walk(home)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
            return said;
        } catch (IOException e) {
            throw new AssertionError("helm did not run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("helm was interrupted", e);
        }
    }
}
