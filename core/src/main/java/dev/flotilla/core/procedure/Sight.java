package dev.flotilla.core.procedure;

import org.jspecify.annotations.Nullable;

/** What a look at a node shows. */
public sealed interface Sight {

    /** There is no such machine any more, or another one of its name. */
    record Gone() implements Sight {}

    /** It cannot be told. */
    record Dark(String text) implements Sight {}

    /**
     * It answers.
     *
     * @param revision of the snap
     * @param version of the kubelet
     * @param busy whether a change runs on it
     */
    record Node(@Nullable String revision, @Nullable String version, boolean ready, boolean busy) implements Sight {}
}
