package dev.stowage.sim.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Files that are read whole: workbooks, JSON, and what programs print for people. */
final class Documents {
    /** What is sought in a file. */
    enum Purpose {
        REQUESTS("(?i)(vinfo|vms?|.*virtual.*|guests?|.*instances?|jobs?|requests?|workloads?|.*\\bpods?)\\b.*"),
        SERVERS("(?i)(vhosts?|.*hosts?|.*nodes?|.*hypervisors?|.*servers?|esxi?)\\b.*");

        private final String names;

        Purpose(String names) {
            this.names = names;
        }

        private boolean suffices(DocumentTable table) {
            return this == REQUESTS
                    ? OwnColumns.sufficeForMachines(table.columns(), List.of())
                    : OwnHosts.suffice(table.columns());
        }

        private int rank(DocumentTable table) {
            boolean other = table.name().matches((this == REQUESTS ? SERVERS : REQUESTS).names);
            return (table.name().matches(names) ? 8 : 0)
                    - (other ? 8 : 0)
                    + (table.rows().isEmpty() ? -16 : 0)
                    + (table.columns().size() > 2 ? 1 : 0);
        }
    }

    private Documents() {}

    /** Whether a file that begins so is read whole. */
    static boolean isDocument(byte[] head) {
        if (isWorkbook(head)) {
            return true;
        }
        String text = new String(head, StandardCharsets.UTF_8).stripLeading();
        boolean binary = text.indexOf(0) >= 0 || text.startsWith("PAR1");
        return !binary && isDocument(text);
    }

    private static boolean isDocument(String text) {
        return text.matches("(?s)(\\{|\\[\\s*[{\\]]).*")
                || Listings.read(text.lines().limit(40).toList()) != null;
    }

    private static boolean isWorkbook(byte[] head) {
        return head.length > 3
                && head[0] == 'P'
                && head[1] == 'K'
                && new String(head, StandardCharsets.ISO_8859_1).matches("(?s).*(\\[Content_Types\\]|_rels/|xl/).*");
    }

    /** Whether a document is what {@code kubectl -o json} prints, whose pods are more than rows. */
    static boolean isKubernetes(String text) {
        String head = text.substring(0, Math.min(4096, text.length())).stripLeading();
        return head.matches("(?s)\\{\\s*\"(apiVersion|kind|items|metadata)\".*") && head.contains("\"apiVersion\"");
    }

    /** The table of a document that is meant. */
    static DocumentTable table(Path file, byte[] head, Purpose purpose, @Nullable String sheet) {
        List<DocumentTable> all;
        try (InputStream in = SourceFiles.open(file)) {
            all = isWorkbook(head) ? Workbooks.read(in, sheet != null) : text(file, in.readAllBytes());
        } catch (IOException | org.dhatim.fastexcel.reader.ExcelReaderException e) {
            throw TraceException.of(
                    file,
                    "cannot be read: "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
                    e);
        }
        String there = all.stream()
                .map(each -> "'" + each.name() + "' (" + String.join(", ", each.columns()) + ")")
                .collect(Collectors.joining("; "));
        if (sheet != null) {
            return all.stream()
                    .filter(each -> each.name().equals(sheet))
                    .findFirst()
                    .orElseThrow(() -> TraceException.of(
                            file,
                            "there is no sheet '" + sheet + "'"
                                    + ColumnNames.near(
                                            sheet,
                                            all.stream()
                                                    .map(DocumentTable::name)
                                                    .toList())
                                    + "; there: " + there));
        }
        List<DocumentTable> fit = all.stream()
                .filter(purpose::suffices)
                .sorted(Comparator.comparing((DocumentTable each) -> -purpose.rank(each)))
                .toList();
        if (fit.size() > 1 && purpose.rank(fit.get(0)) == purpose.rank(fit.get(1))) {
            throw TraceException.of(
                    file,
                    "'" + fit.get(0).name() + "' and '" + fit.get(1).name()
                            + "' may both be meant: leave one of them out");
        }
        if (!fit.isEmpty()) {
            return fit.get(0);
        }
        if (all.size() == 1) {
            return all.get(0);
        }
        if (purpose == Purpose.REQUESTS) {
            // A catalogue may say what their sizes hold.
            for (DocumentTable each : all) {
                if (OwnColumns.sufficeForMachines(each.columns(), List.of("cpu"))) {
                    return each;
                }
            }
        }
        throw TraceException.of(
                file,
                "no list in it has " + (purpose == Purpose.REQUESTS ? "requests" : "servers") + " with amounts"
                        + (all.isEmpty() ? "" : "; there: " + there));
    }

    private static List<DocumentTable> text(Path file, byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (isKubernetes(text)) {
            throw TraceException.of(
                    file,
                    "is what kubectl prints: 'stowage size FILE' and 'stowage kube advise FILE' read it,"
                            + " with its nodes");
        }
        if (text.stripLeading().matches("(?s)[{\\[].*")) {
            return JsonTables.read(bytes);
        }
        DocumentTable table = Listings.read(text.lines().toList());
        return table == null ? List.of() : List.of(table);
    }
}
