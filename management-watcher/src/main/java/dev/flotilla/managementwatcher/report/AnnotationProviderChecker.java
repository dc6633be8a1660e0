package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.rows.InventoryRowBuilder;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rejects the annotation of an object if no machine of it can have the target, as the orchestrator does. Before the orchestrator
 * has said what the policies allow, nothing is rejected for this reason.
 */
final class AnnotationProviderChecker {
    private final SiteObjectCache cache;
    private final ReceivedStatusTable status;
    private final SiteMode mode;

    AnnotationProviderChecker(SiteObjectCache cache, ReceivedStatusTable status, SiteMode mode) {
        this.cache = cache;
        this.status = status;
        this.mode = mode;
    }

    /** Returns the upgrade annotation of an object, with a problem if it is rejected; null for none. */
    @Nullable
    UpgradeAnnotation readAnnotation(ObjectView object) {
        UpgradeAnnotation read = cache.upgradeAnnotation(object.key());
        SiteAnnotationRules rules = status.annotationRules();
        UpgradeTarget target = read == null ? null : read.target();
        if (read == null || target == null || rules == null || read.problem() != null || !read.isOnObject()) {
            return read;
        }
        List<MachineView> machines = machinesOf(object);
        boolean applicable = machines.isEmpty()
                || machines.stream()
                        .anyMatch(machine -> providerOf(machine, rules).canApply(target));
        if (applicable) {
            return read;
        }
        MachineView first = machines.getFirst();
        UpgradeProvider provider = providerOf(first, rules);
        return read.withProblem(
                "cannot be used here: the provider of Machine " + first.key().name() + " is "
                        + provider.label() + ", which applies " + provider.targets()
                        + "; annotate it with such a target, or correct its provider in the policy (providers)");
    }

    private UpgradeProvider providerOf(MachineView machine, SiteAnnotationRules rules) {
        return rules.providerOf(
                machine.labels(), InventoryRowBuilder.findProvider(machine, cache.ownerOf(machine), mode));
    }

    private List<MachineView> machinesOf(ObjectView object) {
        return switch (object) {
            case MachineView machine -> List.of(machine);
            case OwnerView owner -> cache.machinesOf(owner.key());
            case ClusterView cluster ->
                cache.machines().stream()
                        .filter(machine ->
                                machine.cluster().equals(cluster.key().name())
                                        && machine.key()
                                                .namespace()
                                                .equals(cluster.key().namespace()))
                        .toList();
        };
    }
}
