package dev.stowage.sim.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of a source, in order, and what they are.
 *
 * @param document the table that is meant, where the source is a document
 */
record Source(List<Path> files, FileHead head, @Nullable DocumentTable document) {
    /** The rows of a document. */
    Rows documentRows() {
        return new DocumentRows(files.get(0), Objects.requireNonNull(document));
    }

    /** The rows of a table of one's own; what stands between its fields is seen where it is not said. */
    Rows table(@Nullable Separator said) {
        Separator separator = said == null ? Separator.guess(head.lines()) : said;
        return new CsvRows(files, List.of(), separator.character(), head.before(), SourceFiles.charset(files));
    }

    FileHead.Kind kind() {
        return head.kind();
    }
}
