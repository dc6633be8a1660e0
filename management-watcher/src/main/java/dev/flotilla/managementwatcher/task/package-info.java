/**
 * UpgradeTasks: which Machines a task takes, what becomes of them, and what the task shows. Pure: no clock, no I/O.
 */
@NullMarked
package dev.flotilla.managementwatcher.task;

import org.jspecify.annotations.NullMarked;
