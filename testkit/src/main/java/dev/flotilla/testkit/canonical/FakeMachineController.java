package dev.flotilla.testkit.canonical;

import dev.flotilla.kube.KubeObject;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Upgrades each machine by its annotations, without pauses, gates or a limit on attempts. */
final class FakeMachineController {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ENGLISH);
    private static final String NAME = "canonical";

    private final ProviderAnnotations providerAnnotations;
    private final RefreshRequestLedger nodes;

    FakeMachineController(ProviderAnnotations providerAnnotations, RefreshRequestLedger nodes) {
        this.providerAnnotations = providerAnnotations;
        this.nodes = nodes;
    }

    void reconcile(KubeObject machine) {
        String to = machine.annotation(ProviderAnnotations.TO);
        if (to == null) {
            return;
        }
        String changeId = machine.annotation(ProviderAnnotations.CHANGE_ID);
        if (changeId == null) {
            request(machine, to);
            return;
        }
        String status = machine.annotation(ProviderAnnotations.STATUS);
        if (ProviderAnnotations.IN_PROGRESS.equals(status)) {
            if (nodes.pollRefresh(machine.name(), changeId)) {
                write(machine, ProviderAnnotations.changes(ProviderAnnotations.STATUS, ProviderAnnotations.DONE));
            }
        } else if (ProviderAnnotations.DONE.equals(status)) {
            // The release is the currently requested one, whatever the node was asked to refresh to.
            write(
                    machine,
                    ProviderAnnotations.changes(
                            ProviderAnnotations.TO,
                            null,
                            ProviderAnnotations.CHANGE_ID,
                            null,
                            ProviderAnnotations.LAST_FAILED,
                            null,
                            ProviderAnnotations.RELEASE,
                            to));
        } else if (ProviderAnnotations.FAILED.equals(status)) {
            write(
                    machine,
                    ProviderAnnotations.changes(ProviderAnnotations.STATUS, null, ProviderAnnotations.CHANGE_ID, null));
        } else {
            String now = TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
            write(
                    machine,
                    ProviderAnnotations.changes(
                            ProviderAnnotations.STATUS,
                            ProviderAnnotations.FAILED,
                            ProviderAnnotations.LAST_FAILED,
                            now));
        }
    }

    /** Removes the release before it calls the node. The second write is computed from the object as first read. */
    private void request(KubeObject machine, String to) {
        write(
                machine,
                ProviderAnnotations.changes(
                        ProviderAnnotations.STATUS,
                        null,
                        ProviderAnnotations.CHANGE_ID,
                        null,
                        ProviderAnnotations.RELEASE,
                        null));
        String changeId = nodes.refresh(machine.name(), to, NAME);
        if (changeId != null) {
            write(
                    machine,
                    ProviderAnnotations.changes(
                            ProviderAnnotations.RELEASE,
                            null,
                            ProviderAnnotations.STATUS,
                            ProviderAnnotations.IN_PROGRESS,
                            ProviderAnnotations.CHANGE_ID,
                            changeId));
        }
    }

    private void write(KubeObject machine, Map<String, @Nullable String> changes) {
        providerAnnotations.write(ControllerResource.MACHINES, machine, changes);
    }
}
