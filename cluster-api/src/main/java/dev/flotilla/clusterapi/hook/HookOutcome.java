package dev.flotilla.clusterapi.hook;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a hook was answered. */
public enum HookOutcome {
    /** The handlers were named. */
    DISCOVERED,
    /** The change is made in place. */
    COVERED,
    /** The change is not covered, and Cluster API replaces the machines. */
    REPLACE,
    /** The change is not covered, and nothing is replaced. */
    STOP,
    /** The change is covered, and what the machine keeps could not be recorded: Cluster API asks again. */
    NOT_RECORDED,
    /** The request or the settings cannot be followed. */
    INVALID,
    /** The update goes on, or waits. */
    IN_PROGRESS,
    /** The machine is at its target. */
    DONE,
    /** The update has failed. */
    FAILED;

    /** Returns what a hook can be answered. */
    public static Set<HookOutcome> of(Hook hook) {
        return switch (hook) {
            case DISCOVERY -> EnumSet.of(DISCOVERED);
            case CAN_UPDATE_MACHINE, CAN_UPDATE_MACHINE_SET ->
                EnumSet.of(COVERED, REPLACE, STOP, NOT_RECORDED, INVALID);
            case UPDATE_MACHINE -> EnumSet.of(IN_PROGRESS, DONE, FAILED, INVALID);
        };
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
