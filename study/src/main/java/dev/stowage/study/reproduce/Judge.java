package dev.stowage.study.reproduce;

/** Decides whether results agree with a claim; it sees nothing but the results. */
@FunctionalInterface
public interface Judge {
    /** The finding. */
    Finding judge(Measured measured);
}
