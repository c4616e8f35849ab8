package dev.stowage.cli.text;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Options of the whole program. Picocli's root command implements them, so that no other command depends on it. */
public interface ProgramOptions {
    /** What the standard streams are connected to. */
    Terminal terminal();

    /** When to write in colours. */
    ColourMode colour();

    /** Whether only warnings and errors are wanted beside the result. */
    boolean quiet();

    /** Carries out another command, as from a command line; returns its exit code. */
    int carryOut(String... arguments);

    /**
     * An option that few need: {@code --help-all} shows it, {@code --help} does not. Of a command it names those that
     * it shares with others, where they are needed more.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
    @interface Rare {
        /** Options of a command. */
        String[] value() default {};
    }
}
