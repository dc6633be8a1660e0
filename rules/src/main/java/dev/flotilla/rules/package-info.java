/**
 * The rules that the whole source keeps: which module may use which, what the core may touch, how a file looks. The
 * rules are the tests of this module, and it has nothing else.
 */
@NullMarked
package dev.flotilla.rules;

import org.jspecify.annotations.NullMarked;
