package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.List;

/** The files of a source, in order, and what they are. */
record Source(List<Path> files, FileHead head) {
    FileKind kind() {
        return head.kind();
    }
}
