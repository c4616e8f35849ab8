package dev.stowage.cli.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build and its commit, which the build writes next to this class. */
public final class Version implements IVersionProvider {
    /** The version as in results and in messages between nodes, without the commit. */
    public static String number() {
        return Objects.requireNonNull(read().getProperty("version"), "version.properties has no 'version'");
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "stowage " + number() + commit(read()),
            "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + "), "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }

    /** The commit; empty if the build had no Git and left the placeholder. */
    static String commit(Properties properties) {
        String commit = properties.getProperty("commit", "");
        if (commit.isEmpty() || commit.startsWith("$")) {
            return "";
        }
        return " (commit " + commit + " of " + properties.getProperty("committed")
                + (Boolean.parseBoolean(properties.getProperty("changed")) ? ", with changes)" : ")");
    }

    private static Properties read() {
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(Objects.requireNonNull(in, "version.properties is missing from the build"));
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
