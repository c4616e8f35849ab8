package dev.stowage.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The jars of a package: {@code PackagedJars DIRECTORY}. Native code of other platforms than this one is left out, for
 * Linux with glibc; code of which the name tells no processor stays. That of DuckDB and OR-Tools is put beside the
 * jars, where both look first: they would unpack it, 130 MB, in every process. {@code stowage.jar} starts the program
 * with all of them in one order, which the JVM's cache of classes depends on: Ratis, which has Netty's versions of its
 * own, before Netty, or the service warns about versions that differ.
 */
final class PackagedJars {
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|so[._][^/]*|dll|dylib|jnilib)");
    private static final Pattern OTHER_SYSTEM =
            Pattern.compile(".*(\\.(dll|dylib|jnilib)$|\\.so_(osx|windows)|freebsd|openbsd|sunos|aix|android|musl).*");
    private static final Pattern ANY_PROCESSOR =
            Pattern.compile(".*(x86|amd64|i386|aarch|arm|ppc|riscv|s390|mips|loong|sparc).*");
    /** Names of a processor, by the name that Java has for it. */
    private static final Map<String, Pattern> PROCESSORS = Map.of(
            "amd64", Pattern.compile(".*(x86[_-]64|amd64).*"),
            "aarch64", Pattern.compile(".*(aarch_?64|arm64).*"));

    private static final Pattern BESIDE = Pattern.compile("(?:ortools-[^/]*/)?(lib[^/]*\\.so[^/]*)");

    private PackagedJars() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        String processor = System.getProperty("os.arch");
        Pattern own = PROCESSORS.get(processor);
        if (own == null || !System.getProperty("os.name").equals("Linux")) {
            throw new IllegalStateException("packages are made for Linux on amd64 or aarch64, not on " + processor);
        }
        long before = 0;
        long after = 0;
        List<Path> jars;
        try (Stream<Path> files = Files.list(directory)) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted(Comparator.reverseOrder()).toList();
        }
        for (Path jar : jars) {
            before += Files.size(jar);
            trim(jar, own);
            after += Files.size(jar);
        }
        start(directory.resolve("stowage.jar"), jars);
        System.out.println(jars.size() + " jars, " + before / 1_000_000 + " MB; without native code " + after / 1_000_000 + " MB");
    }

    private static void start(Path jar, List<Path> jars) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "dev.stowage.cli.StowageCommand");
        // For SQLite, DuckDB and OR-Tools: newer JVMs warn about native code.
        manifest.getMainAttributes().putValue("Enable-Native-Access", "ALL-UNNAMED");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        jars.stream().map(file -> file.getFileName().toString()).collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private static void trim(Path jar, Pattern own) throws IOException {
        Path trimmed = jar.resolveSibling(jar.getFileName() + ".part");
        try (ZipFile from = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> entries = Collections.list(from.entries());
            if (entries.stream()
                    .noneMatch(entry -> NATIVE.matcher(entry.getName()).matches())) {
                return;
            }
            try (ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(trimmed))) {
                for (ZipEntry entry : entries) {
                    if (isForeign(entry.getName(), own)) {
                        continue;
                    }
                    Matcher beside = BESIDE.matcher(entry.getName());
                    if (beside.matches()) {
                        Files.copy(from.getInputStream(entry), jar.resolveSibling(beside.group(1)));
                        continue;
                    }
                    ZipEntry copy = new ZipEntry(entry);
                    copy.setCompressedSize(-1);
                    to.putNextEntry(copy);
                    from.getInputStream(entry).transferTo(to);
                    to.closeEntry();
                }
            }
        }
        Files.move(trimmed, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isForeign(String entry, Pattern own) {
        String name = entry.toLowerCase(Locale.ROOT);
        return NATIVE.matcher(name).matches()
                && (OTHER_SYSTEM.matcher(name).matches()
                        || ANY_PROCESSOR.matcher(name).matches() && !own.matcher(name).matches());
    }
}
