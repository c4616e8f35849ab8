package dev.stowage.sim.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.CellType;
import org.dhatim.fastexcel.reader.ExcelReaderException;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.dhatim.fastexcel.reader.SheetVisibility;
import org.jspecify.annotations.Nullable;

/** The sheets of a workbook (xlsx) as tables: the first row of several texts names the columns. */
final class Workbooks {
    private Workbooks() {}

    /** Of a workbook; hidden sheets only where asked for. */
    static List<DocumentTable> read(InputStream in, boolean hidden) throws IOException {
        byte[] bytes = in.readAllBytes();
        try {
            return read(bytes, hidden, true);
        } catch (ExcelReaderException e) {
            // Some programs write no styles, which say what is shown as a date.
            return read(bytes, hidden, false);
        }
    }

    private static List<DocumentTable> read(byte[] bytes, boolean hidden, boolean styles) throws IOException {
        List<DocumentTable> tables = new ArrayList<>();
        try (ReadableWorkbook book =
                new ReadableWorkbook(new ByteArrayInputStream(bytes), new ReadingOptions(styles, false))) {
            List<Sheet> all = book.getSheets().toList();
            List<Sheet> visible = all.stream()
                    .filter(sheet -> sheet.getVisibility() == SheetVisibility.VISIBLE)
                    .toList();
            for (Sheet sheet : hidden || visible.isEmpty() ? all : visible) {
                try (Stream<Row> rows = sheet.openStream()) {
                    table(sheet.getName(), rows.toList(), tables);
                }
            }
        }
        return tables;
    }

    private static void table(String name, List<Row> rows, List<DocumentTable> tables) {
        int names = 0;
        while (names < rows.size() && !namesColumns(rows.get(names))) {
            names++;
        }
        if (names == rows.size()) {
            return;
        }
        List<String> columns = texts(rows.get(names), rows.get(names).getCellCount());
        int last = columns.size();
        while (last > 0 && columns.get(last - 1).isBlank()) {
            last--;
        }
        List<List<String>> values = new ArrayList<>();
        List<Long> lines = new ArrayList<>();
        for (Row row : rows.subList(names + 1, rows.size())) {
            List<String> texts = texts(row, last);
            if (!texts.stream().allMatch(String::isBlank)) {
                values.add(texts);
                lines.add((long) row.getRowNum());
            }
        }
        tables.add(new DocumentTable(name, columns.subList(0, last), values, lines));
    }

    private static boolean namesColumns(Row row) {
        List<String> texts = texts(row, row.getCellCount()).stream()
                .filter(text -> !text.isBlank())
                .toList();
        return texts.size() > 1 && row.stream().noneMatch(cell -> cell != null && cell.getType() == CellType.NUMBER);
    }

    private static List<String> texts(Row row, int columns) {
        return IntStream.range(0, columns)
                .mapToObj(column -> column < row.getCellCount() ? text(row.getCell(column)) : "")
                .toList();
    }

    private static String text(@Nullable Cell cell) {
        if (cell == null || cell.getType() == CellType.EMPTY || cell.getType() == CellType.ERROR) {
            return "";
        }
        if (cell.getType() == CellType.NUMBER && isDate(cell.getDataFormatString())) {
            LocalDateTime date = cell.asDate();
            return date.toString();
        }
        return switch (cell.getType()) {
            case NUMBER -> cell.asNumber().toPlainString();
            case BOOLEAN -> String.valueOf(cell.asBoolean());
            default -> cell.getText().strip();
        };
    }

    /** Whether the format of a number shows days: outside of quotes and brackets, it has a y or a d. */
    private static boolean isDate(@Nullable String format) {
        return format != null
                && format.toLowerCase(Locale.ROOT)
                        .replaceAll("\"[^\"]*\"|\\[[^\\]]*\\]|\\\\.", "")
                        .matches(".*[yd].*");
    }
}
