package dev.stowage.service.console;

import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.file.FileServiceBuilder;
import com.linecorp.armeria.server.file.HttpFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The files of the console: the page at {@code /}, what it loads below {@code /console}, and uPlot out of its WebJar.
 * They hold nothing of the service, so no token is asked for; the page asks for one where the API does. It costs
 * nothing as long as nobody opens it.
 */
public final class ConsoleFiles {
    private static final String FILES = "/dev/stowage/service/console";
    private static final String WEBJAR = "/META-INF/resources/webjars/uplot/";
    private static final String VERSION = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

    private ConsoleFiles() {}

    /**
     * Adds them to a server.
     *
     * @param nodes origins of the group's nodes, which the page may call besides the one that it comes from
     */
    public static void add(ServerBuilder builder, Collection<String> nodes) {
        add(builder, nodes, "index.html");
    }

    /**
     * The same with another page.
     *
     * @param page name of its file
     */
    public static void add(ServerBuilder builder, Collection<String> nodes, String page) {
        ClassLoader loader = ConsoleFiles.class.getClassLoader();
        Map<String, String> headers = headers(nodes);
        builder.service("/", page(HttpFile.of(loader, FILES + "/" + page).asService(), headers));
        builder.serviceUnder("/console/uplot", files(loader, WEBJAR + version() + "/dist", headers));
        builder.serviceUnder("/console", files(loader, FILES, headers));
    }

    private static HttpService page(HttpService file, Map<String, String> headers) {
        return (context, request) -> {
            context.mutateAdditionalResponseHeaders(out -> headers.forEach(out::set));
            return file.serve(context, request);
        };
    }

    private static HttpService files(ClassLoader loader, String path, Map<String, String> headers) {
        FileServiceBuilder files = FileService.builder(loader, path);
        headers.forEach(files::addHeader);
        return files.build();
    }

    /** Nothing from elsewhere, nothing inline, in no frame, and looked up again when the service may be another one. */
    private static Map<String, String> headers(Collection<String> nodes) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(
                "content-security-policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
                        + String.join(
                                "",
                                nodes.stream().sorted().map(node -> " " + node).toList())
                        + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                        + "; require-trusted-types-for 'script'; trusted-types 'none'");
        headers.put("x-frame-options", "DENY");
        headers.put("x-content-type-options", "nosniff");
        headers.put("referrer-policy", "no-referrer");
        headers.put("cross-origin-opener-policy", "same-origin");
        headers.put("cross-origin-resource-policy", "same-origin");
        headers.put("cache-control", "no-cache");
        return headers;
    }

    private static String version() {
        try (InputStream in = ConsoleFiles.class.getResourceAsStream(VERSION)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
