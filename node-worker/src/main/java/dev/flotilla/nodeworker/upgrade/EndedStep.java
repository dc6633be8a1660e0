package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;

/**
 * A step of an attempt that a later report has ended. Both reports are committed.
 *
 * @param reached the report that the step was reached
 * @param step the report of {@code reached}
 * @param next the report that ended the step: of the next step, or of the attempt's end
 */
public record EndedStep(AttemptProgress reached, AttemptReport.StepReached step, AttemptProgress next) {}
