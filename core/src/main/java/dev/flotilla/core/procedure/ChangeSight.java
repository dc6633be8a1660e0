package dev.flotilla.core.procedure;

/** How a change on a node stands. */
public sealed interface ChangeSight {

    /** Nobody answers, or it is not over. */
    record GoesOn() implements ChangeSight {}

    /** snapd says that it is done, which proves nothing yet. */
    record Done() implements ChangeSight {}

    /** The node knows no such change: it was forgotten. */
    record Lost() implements ChangeSight {}

    /** It is over and was not done. */
    record Failed(String text) implements ChangeSight {}
}
