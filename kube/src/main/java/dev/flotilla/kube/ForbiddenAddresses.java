package dev.flotilla.kube;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses to which nothing of ours is ever sent, whoever names them. */
public final class ForbiddenAddresses {
    private static final String PART = "(0|[1-9][0-9]{0,2})";

    /** Only what is written as an address, and in the one form that everybody reads alike: a name would be looked up. */
    private static final Pattern LITERAL = Pattern.compile(PART + "(\\." + PART + "){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    /** Where clouds tell instances about themselves, beside the link-local ones. */
    private static final String METADATA_V6 = "fd00:ec2:0:0:0:0:0:254";

    private static final String NOT_KNOWN = "is not known";

    private ForbiddenAddresses() {}

    /** What speaks against an address; null where nothing does. */
    public static @Nullable String problemOf(InetAddress address) {
        if (address.isLinkLocalAddress() || address.getHostAddress().equals(METADATA_V6)) {
            return "is link-local, where clouds keep their metadata";
        }
        return address.isAnyLocalAddress() || address.isMulticastAddress() ? "is no single machine's" : null;
    }

    /**
     * What speaks against what a Node says its address is; null where nothing does.
     *
     * @param testBed whether all of the site is on this machine
     */
    public static @Nullable String problemOfNode(String text, boolean testBed) {
        return LITERAL.matcher(text).matches() ? problem(text, testBed) : "is no IP address";
    }

    /**
     * What speaks against the server that a cluster's kubeconfig names; null where nothing does. A name that nobody knows now is
     * left to whoever connects.
     *
     * @param testBed whether all of the site is on this machine
     */
    public static @Nullable String problemOfServer(String url, boolean testBed) {
        String host = host(url);
        if (host == null) {
            return "has no host";
        }
        String problem = problem(host, testBed);
        return NOT_KNOWN.equals(problem) ? null : problem;
    }

    private static @Nullable String problem(String host, boolean testBed) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                String problem = address.isLoopbackAddress() && !testBed
                        ? "is on the loopback, that is, on the worker itself"
                        : problemOf(address);
                if (problem != null) {
                    return problem;
                }
            }
            return null;
        } catch (UnknownHostException e) {
            return NOT_KNOWN;
        }
    }

    /** Whether a server is on this machine, by what its URL says. */
    public static boolean isLoopback(String url) {
        String host = host(url);
        try {
            return host != null
                    && (host.equals("localhost")
                            || (LITERAL.matcher(host).matches()
                                    && InetAddress.getAllByName(host)[0].isLoopbackAddress()));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    static @Nullable String host(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? null : host.replaceAll("[\\[\\]]", "");
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
