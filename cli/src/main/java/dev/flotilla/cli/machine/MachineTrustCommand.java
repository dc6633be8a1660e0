package dev.flotilla.cli.machine;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.nodeworker.cleanup.ManualCleanup;
import dev.flotilla.nodeworker.cleanup.ManualCleanup.LookupResult;
import dev.flotilla.nodeworker.cleanup.ManualCleanup.MachineCertificateStatus;
import dev.flotilla.nodeworker.k8sd.trust.CertificatePinStore;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla machine trust}. */
@Command(
        name = "trust",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the certificate pin of a machine's k8sd. With --reset it deletes the pin.",
            "Workers pin the certificate at the first contact, in ConfigMap <cluster>-flotilla-pins, and send their"
                    + " token to no"
                    + " other.",
            "Reset the pin only if you know why the machine shows a new certificate, such as a reinstalled k8sd:"
                    + " workers trust"
                    + " whatever certificate they see at the next contact. They notice the reset within five minutes.",
            "Needs no broker. Rights in the management cluster: get Machine, get and patch ConfigMap, and Secret of"
                    + " the same name"
                    + " if an earlier version wrote one.",
            "Exit codes: 0 done, 1 no such machine or the pin could not be deleted, 2 wrong usage, 3 the management"
                    + " cluster cannot"
                    + " be reached."
        })
public final class MachineTrustCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "MACHINE", description = "Machine, as <site>/<namespace>/<name>.")
    private String machine = "";

    @Option(
            names = "--reset",
            description = "Delete the pin: workers pin the certificate that they see at the next" + " contact.")
    private boolean reset;

    @Mixin
    private ManagementClusterOption cluster = new ManagementClusterOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private MachineTrustCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new MachineTrustCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla machine trust east/fleet/k1-w-3 --kubeconfig east.kubeconfig",
                "flotilla machine trust --reset east/fleet/k1-w-3 --kubeconfig east.kubeconfig");
        return command;
    }

    @Override
    public Integer call() {
        MachineKey key = RecordKeyFormat.machine(machine);
        return key == null
                ? cluster.reportUsageErrors(terminal, List.of(CommandErrorReporter.invalidMachineName(machine)))
                : cluster.run(terminal, manualCleanup -> trust(manualCleanup, key));
    }

    private int trust(ManualCleanup manualCleanup, MachineKey key) {
        return switch (manualCleanup.readTrust(key)) {
            case LookupResult.LookupEmpty<MachineCertificateStatus> lookupEmpty ->
                cluster.reportNegativeAnswer(terminal, "there is no Machine " + key + " at " + manualCleanup.server());
            case LookupResult.LookupFailed<MachineCertificateStatus> lookupFailed ->
                cluster.reportUnreachable(terminal, lookupFailed.reason());
            case LookupResult.LookupSucceeded<MachineCertificateStatus> lookupSucceeded ->
                reset ? reset(manualCleanup, key, lookupSucceeded.value()) : show(key, lookupSucceeded.value());
        };
    }

    private int show(MachineKey key, MachineCertificateStatus machineCertificateStatus) {
        switch (machineCertificateStatus.trust()) {
            case CertificatePinStore.CertificateTrust.CertificatePinned certificatePinned ->
                print(
                        key,
                        certificatePinned.pin().sha256(),
                        "pinned to the certificate with SHA-256 "
                                + certificatePinned.pin().sha256());
            case CertificatePinStore.CertificateTrust.CertificateUnpinned certificateUnpinned ->
                print(key, null, "no pin: no worker has connected yet, or the pin was deleted");
            case CertificatePinStore.CertificateTrust.TrustUnknown trustUnknown -> {
                return cluster.reportNegativeAnswer(terminal, trustUnknown.reason());
            }
        }
        return ExitCode.DONE;
    }

    private int reset(ManualCleanup manualCleanup, MachineKey key, MachineCertificateStatus machineCertificateStatus) {
        String problem = manualCleanup.resetTrust(machineCertificateStatus);
        if (problem != null) {
            return cluster.reportNegativeAnswer(terminal, problem);
        }
        print(
                key,
                null,
                machineCertificateStatus.trust() instanceof CertificatePinStore.CertificateTrust.CertificateUnpinned
                        ? "no pin to delete"
                        : "pin deleted; workers pin the certificate that they see at the next contact");
        return ExitCode.DONE;
    }

    private void print(MachineKey key, @Nullable String sha256, String message) {
        output.print(
                terminal,
                () -> List.of(key + ": " + message),
                () -> new JsonObjectReader.Builder()
                        .put("machine", key.toString())
                        .put("sha256", JsonFormatter.text(sha256))
                        .put("message", message)
                        .build());
    }
}
