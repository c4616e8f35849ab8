package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workbooks as people have them: each part written here, with nothing but what the format needs (ECMA-376). */
final class WorkbookTest {
    private static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    private static final String OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    private static final String PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
    private static final int DATE = 1;

    @TempDir
    private Path directory;

    private final Map<String, String> sheets = new LinkedHashMap<>();
    private boolean styled = true;
    private final StringBuilder listed = new StringBuilder();

    private WorkbookTest sheet(String name, String attributes, String more, String... rows) {
        StringBuilder data = new StringBuilder();
        for (int r = 0; r < rows.length; r++) {
            data.append("<row r=\"").append(r + 1).append("\">");
            String[] cells = rows[r].isEmpty() ? new String[0] : rows[r].split("\\|", -1);
            for (int c = 0; c < cells.length; c++) {
                data.append(cell((char) ('A' + c) + String.valueOf(r + 1), cells[c]));
            }
            data.append("</row>");
        }
        int number = sheets.size() + 1;
        sheets.put(
                "xl/worksheets/sheet" + number + ".xml",
                "<worksheet xmlns=\"" + MAIN + "\"><sheetData>" + data + "</sheetData>" + more + "</worksheet>");
        listed.append("<sheet name=\"" + name + "\" sheetId=\"" + number + "\" " + attributes + " r:id=\"rId" + number
                + "\"/>");
        return this;
    }

    /** {@code #12} is a number, {@code @45000.5} one shown as a date, {@code =A1+1=12} a formula with its value. */
    private static String cell(String at, String text) {
        return switch (text.isEmpty() ? ' ' : text.charAt(0)) {
            case ' ' -> "";
            case '#' -> "<c r=\"" + at + "\"><v>" + text.substring(1) + "</v></c>";
            case '@' -> "<c r=\"" + at + "\" s=\"" + DATE + "\"><v>" + text.substring(1) + "</v></c>";
            case '=' -> {
                int value = text.lastIndexOf('=');
                yield "<c r=\"" + at + "\"><f>" + text.substring(1, value) + "</f><v>" + text.substring(value + 1)
                        + "</v></c>";
            }
            default -> "<c r=\"" + at + "\" t=\"inlineStr\"><is><t>" + text + "</t></is></c>";
        };
    }

    private Path written() throws IOException {
        Path file = directory.resolve("book.xlsx");
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            String types = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
                    + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                    + "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
                    + "<Override PartName=\"/xl/workbook.xml\""
                    + " ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/>"
                    + (styled
                            ? "<Override PartName=\"/xl/styles.xml\""
                                    + " ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml\"/>"
                            : "")
                    + "</Types>";
            put(zip, "[Content_Types].xml", types);
            put(zip, "_rels/.rels", relations(List.of("officeDocument"), List.of("xl/workbook.xml")));
            put(
                    zip,
                    "xl/workbook.xml",
                    "<workbook xmlns=\"" + MAIN + "\" xmlns:r=\"" + OFFICE + "\"><sheets>" + listed
                            + "</sheets></workbook>");
            List<String> kinds = IntStream.range(0, sheets.size() + 1)
                    .mapToObj(i -> i < sheets.size() ? "worksheet" : "styles")
                    .toList();
            List<String> targets = IntStream.range(0, sheets.size() + 1)
                    .mapToObj(i -> i < sheets.size() ? "worksheets/sheet" + (i + 1) + ".xml" : "styles.xml")
                    .toList();
            put(zip, "xl/_rels/workbook.xml.rels", relations(kinds, targets));
            put(
                    zip,
                    "xl/styles.xml",
                    "<styleSheet xmlns=\"" + MAIN + "\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/>"
                            + "<xf numFmtId=\"22\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>");
            for (Map.Entry<String, String> sheet : sheets.entrySet()) {
                put(zip, sheet.getKey(), sheet.getValue());
            }
        }
        return file;
    }

    private static String relations(List<String> kinds, List<String> targets) {
        StringBuilder all = new StringBuilder("<Relationships xmlns=\"" + PACKAGE + "\">");
        for (int i = 0; i < kinds.size(); i++) {
            all.append("<Relationship Id=\"rId" + (i + 1) + "\" Type=\"" + OFFICE + "/" + kinds.get(i) + "\" Target=\""
                    + targets.get(i) + "\"/>");
        }
        return all + "</Relationships>";
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>" + text).getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    private static List<String> demands(Trace trace) {
        return IntStream.range(0, trace.size())
                .mapToObj(i -> trace.demand(i, 0) + "/" + trace.demand(i, 1))
                .toList();
    }

    private LoadedTrace read() throws IOException {
        return TraceReader.read(written(), ReadOptions.defaults());
    }

    @Test
    void aTitleAndABlankRowStandAboveTheNamesAndCellsAreMerged() throws IOException {
        sheet(
                "Export",
                "",
                "<mergeCells count=\"1\"><mergeCell ref=\"A1:C1\"/></mergeCells>",
                "Virtual machines of the north",
                "",
                "VM|CPUs|RAM GB",
                "a|#8|#64",
                "b|#4|#32");
        assertThat(demands(read().trace())).containsExactly("8000/65536", "4000/32768");
    }

    /** Some programs write no part for styles. */
    @Test
    void withoutStyles() throws IOException {
        styled = false;
        sheet("VMs", "", "", "VM|CPUs|RAM GB", "a|#8|#64");
        assertThat(demands(read().trace())).containsExactly("8000/65536");
    }

    @Test
    void aHiddenSheetIsNotReadUnlessItIsNamed() throws IOException {
        sheet("old VMs", "state=\"hidden\"", "", "VM|CPUs|RAM GB", "x|#2|#16");
        sheet("VMs", "", "", "VM|CPUs|RAM GB", "a|#8|#64");
        assertThat(demands(read().trace())).containsExactly("8000/65536");
        assertThat(demands(TraceReader.read(
                                directory.resolve("book.xlsx"),
                                ReadOptions.defaults().withSetting("sheet", "old VMs"))
                        .trace()))
                .containsExactly("2000/16384");
    }

    @Test
    void formulasHaveTheirLastValueAndNumbersMayBeTexts() throws IOException {
        sheet("VMs", "", "", "VM|CPUs|RAM MB", "a|=2*4=8|65,536", "b|4|=32*1024=32768", "Total|=SUM(B2:B3)=12|#98304");
        LoadedTrace read = read();
        assertThat(demands(read.trace())).containsExactly("8000/65536", "4000/32768");
        assertThat(String.join("\n", read.report().lines())).contains("a sum of other rows");
    }

    @Test
    void aSumNeedsNoName() throws IOException {
        sheet("VMs", "", "", "VM|CPUs|RAM MB", "a|8|65536", "b|4|32768", "|12|98304");
        LoadedTrace read = read();
        assertThat(demands(read.trace())).containsExactly("8000/65536", "4000/32768");
        assertThat(String.join("\n", read.report().lines())).contains("1 row: a sum of the rows above (no VM)");
        Path hosts = directory.resolve("hosts.csv");
        Files.writeString(hosts, "Host,Cores,RAM GB\nh1,16,128\nh2,32,256\nh3,16,64\n,64,448\n");
        assertThat(ServerListReader.read(hosts, ReadOptions.defaults())
                        .servers()
                        .blocks())
                .extracting(ServerList.Block::names)
                .containsExactly(List.of("h2"), List.of("h1"), List.of("h3"));
    }

    @Test
    void aRowWithoutANameIsCounted() throws IOException {
        sheet("VMs", "", "", "VM|CPUs|RAM MB", "a|8|65536", "b|4|32768", "|12|65536");
        LoadedTrace read = read();
        assertThat(read.trace().size()).isEqualTo(3);
        assertThat(String.join("\n", read.report().lines())).contains("warning: counted: 1 row with nothing in VM;");
    }

    @Test
    void aMarkThatMayBeOfThousandsOrOfDecimalsIsRefused() throws IOException {
        sheet("VMs", "", "", "VM|CPUs|RAM GB", "a|#8|2,048");
        Path book = written();
        assertThatThrownBy(() -> TraceReader.read(book, ReadOptions.defaults()))
                .hasMessageContaining("'2,048'")
                .hasMessageContaining("may be thousands or decimals");
    }

    /** 45000 is 2023-03-15; half a day is .5. */
    @Test
    void datesAreNumbersOfDaysShownAsDatesOrNot() throws IOException {
        for (String cell : List.of("@", "#")) {
            sheets.clear();
            listed.setLength(0);
            String jobs =
                    "a|@45000|@45000.5|#8|#64;b|@45000.2708333333|@45000.3958333333|#4|#32;c|@45001|@45001.5|#1|#4";
            sheet("jobs", "", "", ("Job|Start|End|CPUs|RAM GB;" + jobs.replace("@", cell)).split(";"));
            dates(read().trace());
        }
    }

    private static void dates(Trace trace) {
        assertThat(demands(trace)).containsExactly("8000/65536", "4000/32768", "1000/4096");
        assertThat(IntStream.range(0, 3).mapToObj(i -> Math.round(trace.arrivalNanos(i) / 1e9)))
                .containsExactly(0L, 23_400L, 86_400L);
        assertThat(IntStream.range(0, 3).mapToObj(i -> Math.round(trace.durationNanos(i) / 1e9)))
                .containsExactly(43_200L, 10_800L, 43_200L);
    }
}
