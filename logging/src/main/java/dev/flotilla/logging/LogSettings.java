package dev.flotilla.logging;

/** Format and levels of this process's log. They can change at any time, also for loggers that exist already. */
public record LogSettings(LogFormat format, LogLevels levels) {
    /** System properties with the settings of a process that sets none itself. */
    private static final String LEVEL_PROPERTY = "flotilla.log.level";

    private static final String FORMAT_PROPERTY = "flotilla.log.format";

    /** Makes this the settings of this process. */
    public void apply() {
        StderrLoggers.INSTANCE.apply(this);
    }

    /** The settings of the JVM's options, which only developers and tests set; an invalid one is left out. */
    static LogSettings ofSystemProperties() {
        String format = System.getProperty(FORMAT_PROPERTY, "");
        String levels = System.getProperty(LEVEL_PROPERTY, "");
        return new LogSettings(
                LogFormat.problemOf(format) == null ? LogFormat.parse(format) : LogFormat.TEXT,
                LogLevels.problemOf(levels) == null
                        ? LogLevels.COMMAND.with(LogLevels.parse(levels))
                        : LogLevels.COMMAND);
    }
}
