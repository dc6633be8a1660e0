package dev.flotilla.nodeworker.checks;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses to which nothing of ours is ever sent, whoever names them. */
public final class Addresses {
    /** Only what is written as an address: a name would be looked up. */
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /** Where clouds tell instances about themselves, beside the link-local ones. */
    private static final String METADATA_V6 = "fd00:ec2:0:0:0:0:0:254";

    private Addresses() {}

    /** What speaks against an address; null where nothing does. */
    public static @Nullable String problemOf(InetAddress address) {
        if (address.isLinkLocalAddress() || address.getHostAddress().equals(METADATA_V6)) {
            return "is link-local, where clouds keep their metadata";
        }
        return address.isAnyLocalAddress() || address.isMulticastAddress() ? "is no single machine's" : null;
    }

    /** What speaks against what a Node says its address is; null where nothing does. */
    public static @Nullable String problemOfNode(String text) {
        if (!LITERAL.matcher(text).matches()) {
            return "is no IP address";
        }
        try {
            return problemOf(InetAddress.getAllByName(text)[0]);
        } catch (UnknownHostException e) {
            return "is no IP address";
        }
    }
}
