package dev.stowage.cli.remote;

import dev.stowage.sim.remote.Machines;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * Loads Stowage's classes for Spark beside Spark's own: the shared interface comes from Stowage, everything else from
 * Spark.
 */
final class SparkLoader extends URLClassLoader {
    private static final String OURS = "dev.stowage.spark.";
    private static final String SHARED = Machines.class.getPackageName() + ".";

    SparkLoader(URL jar, ClassLoader spark) {
        super(new URL[] {jar}, spark);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(SHARED)) {
            return Machines.class.getClassLoader().loadClass(name);
        }
        if (!name.startsWith(OURS)) {
            return super.loadClass(name, resolve);
        }
        // With spark-submit this jar is on the class path, too, where Stowage's classes cannot be found.
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }
}
