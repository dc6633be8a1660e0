/** The program around the audit: its options, its pages, its end. */
@NullMarked
package dev.flotilla.auditor.program;

import org.jspecify.annotations.NullMarked;
