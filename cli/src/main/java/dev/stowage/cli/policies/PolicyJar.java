package dev.stowage.cli.policies;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.policies.catalog.PolicyOrigin;
import dev.stowage.policies.catalog.PolicyProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

/** Loads the classes of a jar with policies, and identifies the jar. It stays open as long as the program runs. */
final class PolicyJar extends URLClassLoader implements PolicyOrigin {
    private static final String SERVICES = "META-INF/services/" + PolicyProvider.class.getName();
    private static final int DIGEST_BYTES = 8;

    private final Path path;
    private final String digest;

    private PolicyJar(Path path, ClassLoader parent) throws IOException {
        super(new URL[] {path.toUri().toURL()}, parent);
        this.path = path;
        this.digest = digest(path);
    }

    /**
     * Makes the thread find classes in these jars, too.
     *
     * @throws BadInputException if one cannot be read or offers no policies, or two offer the same
     */
    static void open(List<Path> jars) {
        Thread.currentThread().setContextClassLoader(loader(jars));
    }

    /** The jars in which the thread finds classes, in the order in which they were given. */
    static List<Path> opened() {
        List<Path> jars = new ArrayList<>();
        for (ClassLoader loader = Thread.currentThread().getContextClassLoader();
                loader instanceof PolicyJar jar;
                loader = jar.getParent()) {
            jars.add(0, jar.path);
        }
        return jars;
    }

    /** The class loader for that, which the caller sets. */
    static ClassLoader loader(List<Path> jars) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Map<String, Path> known = new TreeMap<>();
        for (Path path : jars) {
            try (JarFile jar = new JarFile(path.toFile())) {
                for (String provider : providers(path, jar)) {
                    Path other = known.put(provider, path);
                    if (other != null) {
                        throw new BadInputException(provider + " is defined twice: in " + other + " and in " + path);
                    }
                }
                loader = new PolicyJar(path, loader);
            } catch (ZipException e) {
                throw new BadInputException(path + " is not a jar: " + e.getMessage(), e);
            } catch (IOException e) {
                String why = Files.isDirectory(path) ? "it is a directory" : e.getMessage();
                throw new BadInputException(path + ": " + (Files.exists(path) ? why : "no such file"), e);
            }
        }
        return loader;
    }

    /** The classes that the jar names as providers of policies. */
    private static List<String> providers(Path path, JarFile jar) throws IOException {
        ZipEntry services = jar.getEntry(SERVICES);
        if (services == null) {
            throw new BadInputException(
                    path + " offers no policies: it has no file " + SERVICES + " with the name of its PolicyProvider");
        }
        try (InputStream in = jar.getInputStream(services)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
    }

    private static String digest(Path path) throws IOException {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
            return HexFormat.of().formatHex(all, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The problem with the classes of a jar, in one line. */
    static String reason(Throwable e) {
        if (e instanceof LinkageError || e.getCause() instanceof LinkageError) {
            return "is not compatible with this version of Stowage: " + (e instanceof LinkageError ? e : e.getCause());
        }
        return String.valueOf(e.getMessage());
    }

    @Override
    public String digest() {
        return digest;
    }
}
