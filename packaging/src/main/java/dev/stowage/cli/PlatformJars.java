package dev.stowage.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Leaves native code of other platforms than this one out of the jars of a directory: {@code PlatformJars DIRECTORY}.
 * For Linux with glibc. Code of which the name tells no processor stays.
 */
final class PlatformJars {
    private static final Pattern NATIVE = Pattern.compile(".*\\.(so|so[._][^/]*|dll|dylib|jnilib)");
    private static final Pattern OTHER_SYSTEM =
            Pattern.compile(".*(\\.(dll|dylib|jnilib)$|\\.so_(osx|windows)|freebsd|openbsd|sunos|aix|android|musl).*");
    private static final Pattern ANY_PROCESSOR =
            Pattern.compile(".*(x86|amd64|i386|aarch|arm|ppc|riscv|s390|mips|loong|sparc).*");
    /** Names of a processor, by the name that Java has for it. */
    private static final Map<String, Pattern> PROCESSORS = Map.of(
            "amd64", Pattern.compile(".*(x86[_-]64|amd64).*"),
            "aarch64", Pattern.compile(".*(aarch_?64|arm64).*"));

    private PlatformJars() {}

    public static void main(String[] args) throws IOException {
        String processor = System.getProperty("os.arch");
        Pattern own = PROCESSORS.get(processor);
        if (own == null || !System.getProperty("os.name").equals("Linux")) {
            System.out.println("native code is left as it is: " + processor + " is not known here");
            return;
        }
        long before = 0;
        long after = 0;
        List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of(args[0]))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        for (Path jar : jars) {
            before += Files.size(jar);
            trim(jar, own);
            after += Files.size(jar);
        }
        System.out.println(jars.size() + " jars, " + before / 1_000_000 + " MB; without native code of other platforms "
                + after / 1_000_000 + " MB");
    }

    private static void trim(Path jar, Pattern own) throws IOException {
        Path trimmed = jar.resolveSibling(jar.getFileName() + ".part");
        try (ZipFile from = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> entries = Collections.list(from.entries());
            if (entries.stream().noneMatch(entry -> isForeign(entry.getName(), own))) {
                return;
            }
            try (ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(trimmed))) {
                for (ZipEntry entry : entries) {
                    if (!isForeign(entry.getName(), own)) {
                        ZipEntry copy = new ZipEntry(entry);
                        copy.setCompressedSize(-1);
                        to.putNextEntry(copy);
                        from.getInputStream(entry).transferTo(to);
                        to.closeEntry();
                    }
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
