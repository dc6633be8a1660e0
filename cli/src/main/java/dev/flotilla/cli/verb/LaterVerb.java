package dev.flotilla.cli.verb;

/**
 * A verb that is part of the command and not of this version. It is known, so that whoever types it is told that and not
 * that it does not exist.
 *
 * @param group the verb it stands under; empty for none
 * @param waitsFor the part that it needs and that this version does not have
 */
public record LaterVerb(String group, String name, String summary, String waitsFor, String example) {

    /** Whether it has verbs under it. */
    boolean isGroup() {
        return group.isEmpty() && !LaterVerbs.in(name).isEmpty();
    }

    /** The words with which it is called. */
    public String words() {
        return group.isEmpty() ? name : group + " " + name;
    }
}
