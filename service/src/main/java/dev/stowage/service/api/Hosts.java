package dev.stowage.service.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.Status;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The host names by which the service may be called, and the pages that may call it. Without tokens everybody on this
 * machine may do everything, and so could every page in one of its browsers whose host name resolves to this machine
 * (DNS rebinding). So in that case only the machine's own names are accepted. A page of another service is refused in
 * any case (the header {@code origin}, RFC 6454), unless that is a node of the same group.
 */
final class Hosts {
    private final boolean everyName;
    private final Set<String> names = new TreeSet<>();
    private final Set<String> ports = new TreeSet<>();
    private final Set<String> origins = new TreeSet<>();
    private final String scheme;

    /**
     * The accepted names.
     *
     * @param everyName whether any name is accepted, because callers must authenticate
     * @param configured names and addresses of the nodes, {@code host:port}: they were given by the operator
     * @param tls whether they are called over TLS
     */
    Hosts(boolean everyName, Iterable<String> configured, boolean tls) {
        this.everyName = everyName;
        scheme = tls ? "https" : "http";
        for (String address : configured) {
            names.add(name(address));
            ports.add(port(address));
            origins.add(scheme + "://" + withPort(address, scheme));
        }
    }

    /** Origins of the group's nodes, as the operator named them. */
    Set<String> origins() {
        return origins;
    }

    /**
     * Whether an origin is a node of this group, because a console loaded from one node also uses the others. If only
     * this machine may call, the origin may be another of the machine's own names.
     */
    boolean ofGroup(String origin) {
        try {
            URI page = URI.create(origin);
            String authority = page.getRawAuthority();
            if (authority == null || !scheme.equals(page.getScheme())) {
                return false;
            }
            String full = withPort(authority, scheme);
            return origins.contains(scheme + "://" + full)
                    || (!everyName && known(name(full)) && ports.contains(port(full)));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String port(String authority) {
        return authority.substring(authority.lastIndexOf(':') + 1);
    }

    /** Why a request is refused, or null. */
    @Nullable
    Failure refusal(RequestHeaders headers) {
        String authority = headers.authority();
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        if (hosts.contains("")) {
            return Failure.invalid("BAD_MESSAGE", "the header 'host' is missing or empty");
        }
        if (!everyName) {
            if (authority != null && !known(name(authority))) {
                return foreign(authority);
            }
            for (String host : hosts) {
                if (!known(name(host))) {
                    return foreign(host);
                }
            }
        }
        if (hosts.size() > 1) {
            // RFC 9112, section 3.2: a proxy between here and the caller may have checked a different one of them.
            return Failure.invalid(
                    "BAD_MESSAGE", "the header 'host' is given " + hosts.size() + " times, must be once");
        }
        for (String origin : headers.getAll(HttpHeaderNames.ORIGIN)) {
            if (!sameOrigin(origin, authority) && !ofGroup(origin)) {
                return Failure.of(
                        Status.Code.PERMISSION_DENIED,
                        "FOREIGN_ORIGIN",
                        "the page at '" + shown(origin) + "' belongs to another service, which may not call this one");
            }
        }
        return null;
    }

    private static Failure foreign(String host) {
        return Failure.of(
                Status.Code.PERMISSION_DENIED,
                "FOREIGN_HOST",
                "a service without tokens must be called as localhost or 127.0.0.1, not as '" + shown(host) + "'");
    }

    private boolean known(String name) {
        if (name.equals("localhost") || name.endsWith(".localhost") || names.contains(name)) {
            return true;
        }
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(name);
        return address != null && address.isLoopbackAddress();
    }

    /** A host without its port, in lower case and without brackets. */
    private static String name(String authority) {
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        if (host.startsWith("[")) {
            int end = host.indexOf(']');
            return end < 0 ? host : host.substring(1, end).toLowerCase(Locale.ROOT);
        }
        int colon = host.lastIndexOf(':');
        String bare = colon >= 0 && colon == host.indexOf(':') ? host.substring(0, colon) : host;
        return (bare.endsWith(".") ? bare.substring(0, bare.length() - 1) : bare).toLowerCase(Locale.ROOT);
    }

    private static boolean sameOrigin(String origin, @Nullable String authority) {
        try {
            URI page = URI.create(origin);
            String theirs = page.getRawAuthority();
            if (theirs == null || authority == null) {
                return false;
            }
            String scheme = String.valueOf(page.getScheme());
            return withPort(theirs, scheme).equals(withPort(authority, scheme));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String withPort(String authority, String scheme) {
        String lower = authority.toLowerCase(Locale.ROOT);
        boolean port = lower.indexOf(':', Math.max(0, lower.indexOf(']'))) >= 0;
        return port ? lower : lower + (scheme.equals("https") ? ":443" : ":80");
    }

    private static String shown(String text) {
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }
}
