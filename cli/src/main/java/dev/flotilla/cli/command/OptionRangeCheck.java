package dev.flotilla.cli.command;

import java.util.List;

/** A command that can check single options although others are wrong, so that all problems are reported at once. */
@FunctionalInterface
public interface OptionRangeCheck {
    /** Finds the options whose values are out of range, each on its own. */
    List<String> findOptionsOutOfRange();
}
