package dev.flotilla.clusterapi.hook;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A runtime hook of Cluster API that this extension serves. */
public enum Hook {
    DISCOVERY("Discovery", ""),
    CAN_UPDATE_MACHINE("CanUpdateMachine", "can-update-machine"),
    CAN_UPDATE_MACHINE_SET("CanUpdateMachineSet", "can-update-machineset"),
    UPDATE_MACHINE("UpdateMachine", "update-machine");

    /** The group and version of all hooks. */
    public static final String API_VERSION = "hooks.runtime.cluster.x-k8s.io/v1alpha1";

    /** The hooks that discovery names. */
    static final List<Hook> DISCOVERED = List.of(CAN_UPDATE_MACHINE, CAN_UPDATE_MACHINE_SET, UPDATE_MACHINE);

    private final String hookName;
    private final String handler;
    private final String path;

    Hook(String hookName, String handler) {
        this.hookName = hookName;
        this.handler = handler;
        this.path =
                "/" + API_VERSION + "/" + hookName.toLowerCase(Locale.ROOT) + (handler.isEmpty() ? "" : "/" + handler);
    }

    /** Returns the hook that is served at a path; null for none. Paths are compared to the letter. */
    public static @Nullable Hook at(String path) {
        for (Hook hook : values()) {
            if (hook.path.equals(path)) {
                return hook;
            }
        }
        return null;
    }

    /** Returns the name of the hook, such as {@code UpdateMachine}. */
    public String hookName() {
        return hookName;
    }

    /** Returns the name of its handler in discovery. */
    String handler() {
        return handler;
    }

    /** Returns the path that it is called at. */
    public String path() {
        return path;
    }
}
