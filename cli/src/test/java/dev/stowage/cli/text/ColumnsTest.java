package dev.stowage.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.report.TextStyle;
import org.junit.jupiter.api.Test;

/** Tables of text. */
final class ColumnsTest {
    @Test
    void numbersStandToTheRight() {
        Columns columns = new Columns("name", "amount");
        columns.row("a", "1.50");
        columns.row("long", "1.00e-09");
        columns.row("", "-");
        assertThat(columns.text(TextStyle.PLAIN))
                .isEqualTo("name    amount\n----  --------\na         1.50\nlong  1.00e-09\n             -\n");
    }

    @Test
    void aWordMakesItAColumnOfText() {
        Columns columns = new Columns("amount");
        columns.row("1.50");
        columns.row("none");
        columns.row("12345678");
        assertThat(columns.text(TextStyle.PLAIN)).isEqualTo("amount\n--------\n1.50\nnone\n12345678\n");
    }

    /** Of a table that is parted, a row stands in the parts that have something of it. */
    @Test
    void aPartHasNoRowOfNothing() {
        Columns columns = new Columns("of", "first", "then");
        columns.row("all", "1".repeat(60), "2".repeat(60));
        columns.row("cost", "3", "");
        assertThat(columns.text(new TextStyle(false, false, 100)).replaceAll(" +", " "))
                .contains("\ncost 3\n\nof then\n")
                .endsWith("\nall " + "2".repeat(60) + "\n");
    }

    /** As many rows as a plan of many tasks: if every cell examined all rows, this would take hours. */
    @Test
    void aTableOfManyRows() {
        Columns columns = new Columns("task", "amount");
        for (int i = 0; i < 300_000; i++) {
            columns.row("t" + i, String.valueOf(i));
        }
        String text = columns.text(TextStyle.PLAIN);
        assertThat(text.lines()).hasSize(300_002);
        assertThat(text).endsWith("t299999  299999\n");
    }
}
