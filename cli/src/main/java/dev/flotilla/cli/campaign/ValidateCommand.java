package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.file.FileProblemFormatter;
import dev.flotilla.cli.file.TextFileResult;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.json.file.FileProblem;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.file.PolicyFileReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.Wave;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign validate} and {@code flotilla policy validate}: checks files and lists their problems. */
@Command(name = "validate", mixinStandardHelpOptions = true)
public final class ValidateCommand<T> implements Callable<Integer> {
    /** Form of the output. */
    enum ValidationFormat {
        table,
        json
    }

    private final Function<String, FileReadResult<T>> reader;
    private final Function<T, String> summary;
    private final Function<T, List<String>> warnings;
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "YAML or JSON files; - reads stdin.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "Output format. One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private ValidationFormat validationFormat = ValidationFormat.table;

    private ValidateCommand(
            Function<String, FileReadResult<T>> reader,
            Function<T, String> summary,
            Function<T, List<String>> warnings,
            Terminal terminal) {
        this.reader = reader;
        this.summary = summary;
        this.warnings = warnings;
        this.terminal = terminal;
    }

    public static CommandLine campaign(Terminal terminal) {
        return command(
                new ValidateCommand<>(
                        CampaignManifestReader::read, ValidateCommand::summary, ValidateCommand::warnings, terminal),
                "campaign",
                "examples/campaigns/canary.yaml");
    }

    public static CommandLine policy(Terminal terminal) {
        return command(
                new ValidateCommand<>(PolicyFileReader::read, ValidateCommand::summary, policy -> List.of(), terminal),
                "policy",
                "examples/policies/fleet.yaml");
    }

    private static CommandLine command(ValidateCommand<?> validateCommand, String kind, String example) {
        CommandLine command = new CommandLine(validateCommand);
        command.getCommandSpec()
                .usageMessage()
                .description(
                        "Checks " + kind + " files and lists every problem with its line, its path and how to fix"
                                + " it. Needs no cluster.",
                        "Exit codes: 0 all files are valid, 2 one is not.");
        String words = "flotilla " + kind + " validate ";
        HelpExamples.set(command, words + example, words + "--output json " + example);
        return command;
    }

    @Override
    public Integer call() {
        List<CheckedFile> checked = new ArrayList<>();
        boolean valid = true;
        for (String file : files) {
            switch (TextFileResult.read(file)) {
                case TextFileResult.UnreadableFile unreadableFile -> {
                    terminal.note(unreadableFile.problem());
                    valid = false;
                    checked.add(unreadable(file, unreadableFile.problem()));
                }
                case TextFileResult.FileText fileText -> {
                    CheckedFile result = check(file, fileText.text());
                    valid &= result.valid();
                    checked.add(result);
                    if (validationFormat == ValidationFormat.table) {
                        result.lines().forEach(terminal.out()::println);
                        result.warnings()
                                .forEach(warning ->
                                        terminal.note("warning: " + (files.size() == 1 ? "" : file + ": ") + warning));
                    }
                }
            }
        }
        if (validationFormat == ValidationFormat.json) {
            terminal.out().print(JsonFormatter.format(json(valid, checked)));
        }
        return valid ? ExitCode.DONE : ExitCode.USAGE;
    }

    private static CheckedFile unreadable(String file, String problem) {
        FileProblem whole = new FileProblem(RejectionReason.BAD_VALUE, "", 0, "", problem, null);
        return new CheckedFile(file, false, List.of(), List.of(whole), List.of());
    }

    private CheckedFile check(String file, String text) {
        return switch (reader.apply(text)) {
            case FileReadResult.ValidFile<T> validFile ->
                new CheckedFile(
                        file,
                        true,
                        List.of(file + ": valid. " + summary.apply(validFile.value())),
                        List.of(),
                        warnings.apply(validFile.value()));
            case FileReadResult.InvalidFile<T> invalidFile ->
                new CheckedFile(
                        file,
                        false,
                        FileProblemFormatter.lines(file, invalidFile.problems()),
                        invalidFile.problems(),
                        List.of());
        };
    }

    /** The answer about one file, or about several in a list. */
    private JsonObjectReader json(boolean valid, List<CheckedFile> checked) {
        if (files.size() == 1) {
            return checked.getFirst().json().build();
        }
        return new JsonObjectReader.Builder()
                .put("valid", valid)
                .put(
                        "files",
                        JsonFormatter.list(checked.stream()
                                .map(each ->
                                        each.json().put("file", each.file()).build())
                                .toList()))
                .build();
    }

    private record CheckedFile(
            String file, boolean valid, List<String> lines, List<FileProblem> problems, List<String> warnings) {
        JsonObjectReader.Builder json() {
            return new JsonObjectReader.Builder()
                    .put("valid", valid)
                    .put("problems", FileProblemFormatter.json(problems))
                    .put("warnings", JsonFormatter.texts(warnings));
        }
    }

    /** Finds what will not work although the file is valid. */
    private static List<String> warnings(Campaign campaign) {
        List<String> found = new ArrayList<>();
        Instant deadline = campaign.spec().deadline();
        if (deadline != null && !Instant.now().isBefore(deadline)) {
            found.add("spec.deadline " + deadline + " has passed, so the campaign would start nothing: set a later"
                    + " deadline");
        }
        String tight = WindowLengthCheck.findProblem(campaign.spec());
        if (tight != null) {
            found.add(tight);
        }
        if (campaign.spec().preparation() != null
                && campaign.spec().waves().size() == 1
                && campaign.spec().startAt() == null
                && campaign.spec().windows().isEmpty()) {
            found.add(
                    "spec.prepare prepares nothing unless a policy has windows: with one wave, no startAt and no windows,"
                            + " machines may start at once");
        }
        return found;
    }

    private static String summary(Campaign campaign) {
        List<Wave> waves = campaign.spec().waves();
        return "Campaign " + campaign.name() + " to " + campaign.spec().target().option() + " in " + waves.size()
                + (waves.size() == 1 ? " wave: " : " waves: ")
                + waves.stream().map(Wave::name).collect(Collectors.joining(", ")) + ".";
    }

    private static String summary(UpgradePolicy policy) {
        return "Policy of " + policy.scope() + (policy.maxInFlight() == null ? "" : ", cap " + policy.maxInFlight())
                + (policy.frozen() ? ", frozen" : "") + ".";
    }
}
