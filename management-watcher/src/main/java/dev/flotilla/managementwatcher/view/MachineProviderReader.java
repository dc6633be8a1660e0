package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads from a Machine what upgrades it: its label, or else what has made it. */
final class MachineProviderReader {
    private static final String K8SD_CONFIG = "CK8sConfig";
    private static final String TEMPLATE = "Template";
    private static final Set<String> NODE_UPGRADE_CONFIGS =
            Set.of("KubeadmConfig", "K3sConfig", "KThreesConfig", "RKE2Config");

    private MachineProviderReader() {}

    /** Returns the provider; null if the Machine does not say. */
    static @Nullable UpgradeProvider readProvider(KubeObject machine) {
        String label = machine.label(LabelKeys.PROVIDER);
        return label != null ? ofLabel(label) : ofOrigin(machine);
    }

    /** A label that names no provider must not lead to an upgrade. */
    private static UpgradeProvider ofLabel(String label) {
        for (UpgradeProvider provider : UpgradeProvider.values()) {
            if (provider.label().equals(label)) {
                return provider;
            }
        }
        return UpgradeProvider.NONE;
    }

    /**
     * Returns the provider of an owner's machines by the template from which it makes them; null if that does not say. A
     * Machine of a MachinePool has no bootstrap config of its own.
     */
    static @Nullable UpgradeProvider readProviderOfTemplate(KubeObject owner) {
        String config = owner.text("spec", "template", "spec", "bootstrap", "configRef", "kind");
        // A MachineDeployment refers to a template, whose kind has the suffix.
        return config == null
                ? null
                : ofConfig(
                        config.endsWith(TEMPLATE) ? config.substring(0, config.length() - TEMPLATE.length()) : config);
    }

    private static UpgradeProvider ofConfig(String config) {
        return config.equals(K8SD_CONFIG)
                ? UpgradeProvider.K8SD
                : NODE_UPGRADE_CONFIGS.contains(config) ? UpgradeProvider.NODE_UPGRADE : UpgradeProvider.NONE;
    }

    private static @Nullable UpgradeProvider ofOrigin(KubeObject machine) {
        String config = machine.text("spec", "bootstrap", "configRef", "kind");
        if (config != null) {
            return ofConfig(config);
        }
        KubeObject owner = machine.controller();
        return owner != null && OwnerKind.CONTROL_PLANE.label().equals(owner.text("kind"))
                ? UpgradeProvider.K8SD
                : null;
    }
}
